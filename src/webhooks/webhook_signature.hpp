#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// What a receiver verifies before it trusts a delivery; the fields of Standard Webhooks
/// (https://www.standardwebhooks.com).
struct signed_message
{
    std::string_view id;          // webhook-id: the notice's id, the same for every attempt
    std::int64_t sent_seconds{};  // webhook-timestamp: since 1970, of this attempt
    std::string_view body;
};

/// The field webhook-signature: for each key "v1," and the Base64 of the HMAC-SHA256 of
/// `id.timestamp.body`, separated by blanks. A key is the bytes whose Base64 follows "whsec_".
/// Throws std::runtime_error if OpenSSL fails.
std::string sign(signed_message const& message, std::span<std::string const> keys);

}  // namespace gapless
