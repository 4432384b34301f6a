#pragma once

#include "base/idempotency_key.hpp"
#include "base/moment.hpp"
#include "base/refusal.hpp"
#include "issuing/issuance_id.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// The hold_seconds of a run on lease, as gapless.hold_for_ever() has them: it never expires.
inline constexpr std::int32_t hold_for_ever = 2'147'483'647;

/// A client's request for numbers, its fields already checked.
struct issue_request
{
    std::int32_t series_id{};
    std::int32_t owner_id{};  // whose key it is
    idempotency_key key;
    std::int32_t count{1};                     // numbers wanted, 1..count_max
    bool contiguous{};                         // one range or none
    std::optional<std::string> reference;      // up to reference_characters_max characters
    std::optional<std::int32_t> hold_seconds;  // 1..hold_seconds_max; none: issued for good at once
};

/// A run of numbers issued together, in one block. Never empty.
struct issued_range
{
    std::int32_t block_id{};
    std::int32_t count{};    // 1..count_max
    std::int64_t serial{};   // of the first number
    std::int64_t ordinal{};  // of the first number
    std::int32_t turn{};     // 0: these numbers were issued for the first time

    std::int64_t last_serial() const noexcept { return serial + count - 1; }

    friend bool operator==(issued_range const&, issued_range const&) = default;
};

/// A run of an issuance's numbers that share a state.
struct issuance_part
{
    issued_range range;
    std::string fate;  // its own: issued, held, confirmed; gone: released, expired, reused, voided

    bool is_gone() const noexcept
    {
        return fate == "released" || fate == "expired" || fate == "reused" || fate == "voided";
    }

    friend bool operator==(issuance_part const&, issuance_part const&) = default;
};

/// The answer to one request. Several ranges mean that a block ran out on the way, or that numbers
/// in between are gone. In order.
struct issuance
{
    std::int32_t series_id{};
    std::int32_t epoch{};
    database_time issued_at;
    std::vector<issued_range> ranges;  // those still its own; none: all are gone
    // All its numbers in order, once anything happened to any of them; empty: all are as issued.
    std::vector<issuance_part> parts{};
    std::optional<std::string> reference;
    bool reference_erased{};                   // it had a reference, which was erased
    std::optional<std::int32_t> hold_seconds;  // none: issued for good at once
    bool replayed{};                           // the key had been spent on this same request before
    bool in_doubt{};  // replayed, perhaps to the very request that spent it
    bool reserve{};   // drawn from a reserve, while the database was away

    std::int64_t count() const noexcept
    {
        std::int64_t sum = 0;
        for (auto const& range : ranges)
            sum += range.count;
        return sum;
    }
};

/// Tells an issuance the state of all its numbers, in order; a part without a fate is as issued.
void set_parts(issuance& value, std::vector<issuance_part> parts);

/// `held` while any of its numbers is held, else `issued` while any is still its own; when none is,
/// `reused`, `expired`, `released` or `voided`.
std::string_view state_of(issuance const& value) noexcept;

/// Where it begins, whatever became of its first number.
issuance_id id_of(issuance const& value);

}  // namespace gapless
