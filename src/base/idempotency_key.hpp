#pragma once

#include "base/refusal.hpp"

#include <array>
#include <compare>
#include <string_view>

namespace gapless {

/// A client's name for a request, as stored: 128 bits. A UUID is kept as it is, in any case of
/// letters: time-ordered ones (version 7) keep the key index local. Any other key becomes the first
/// 128 bits of its SHA-256. The same rule is in sql/issuing/key_to_uuid.sql.
struct idempotency_key
{
    std::array<unsigned char, 16> bytes{};

    friend auto operator<=>(idempotency_key const&, idempotency_key const&) = default;
};

/// Reads an Idempotency-Key header: 1 to 255 printable ASCII characters, bare or as a quoted string
/// (RFC 8941: \" and \\ inside). Both spellings are the same key. Refuses with malformed_request,
/// also for one key repeated with commas: equal fields that a proxy has folded.
result<idempotency_key> read_idempotency_key(std::string_view header);

}  // namespace gapless
