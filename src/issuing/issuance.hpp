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

/// A run of numbers that left together, in one block. Never empty.
struct issued_range
{
    std::int32_t block_id{};
    std::int32_t count{};    // 1..count_max
    std::int64_t serial{};   // of the first number
    std::int64_t ordinal{};  // of the first number
    std::int32_t turn{};     // 0 when these numbers left for the first time

    std::int64_t last_serial() const noexcept { return serial + count - 1; }

    friend bool operator==(issued_range const&, issued_range const&) = default;
};

/// A run of the numbers of an issuance that stand alike.
struct issuance_part
{
    issued_range range;
    std::string fate;  // its own: issued, held, confirmed; gone: released, expired, voided

    bool is_gone() const noexcept
    {
        return fate == "released" || fate == "expired" || fate == "voided";
    }

    friend bool operator==(issuance_part const&, issuance_part const&) = default;
};

/// The answer to one request. Several ranges mean a rollover on the way, or that numbers between
/// them are gone; they are in order.
struct issuance
{
    std::int32_t series_id{};
    std::int32_t epoch{};
    database_time issued_at;
    std::vector<issued_range> ranges;  // of the numbers that are its own; none: all are gone
    // All its numbers in order, once something happened to any; none: they stand as issued.
    std::vector<issuance_part> parts{};
    std::optional<std::string> reference;
    bool reference_erased{};                   // there was one, nobody knows it any more
    std::optional<std::int32_t> hold_seconds;  // none: issued for good at once
    bool replayed{};                           // the key had been spent on this very request before
    bool reserve{};                            // drawn from a reserve, while the database was away

    std::int64_t count() const noexcept
    {
        std::int64_t sum = 0;
        for (auto const& range : ranges)
            sum += range.count;
        return sum;
    }
};

/// Tells an issuance how all its numbers stand, in order; a part without a fate stands as issued.
void set_parts(issuance& value, std::vector<issuance_part> parts);

/// held while any of its numbers is, else issued while any is its own; without any: expired,
/// released or voided.
std::string_view state_of(issuance const& value) noexcept;

/// Where it begins, whatever became of its first number.
issuance_id id_of(issuance const& value);

}  // namespace gapless
