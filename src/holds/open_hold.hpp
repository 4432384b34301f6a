#pragma once

#include "issuing/issuance_id_field.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <optional>
#include <string>
#include <string_view>

/// The records of holds.
namespace gapless::holds {

/// A hold with numbers that are still held.
struct open_hold
{
    issuance_id issuance;
    std::string series;
    std::int64_t held{};
    std::optional<std::string> reference;
    flag reference_erased;
    database_time expires_at;
};
GAPLESS_RECORD(
    open_hold,
    (),
    (issuance, "Id of the issuance."),
    (series, "Name of the series."),
    (held, "How many of its numbers are still held."),
    (reference, "The client's reference. Null: it named none, or it was erased."),
    (reference_erased, "There was a reference; nobody knows it any more."),
    (expires_at, "When the numbers go back.")
)

/// The place of a hold in the list of open holds, which is ordered by expiry.
struct hold_place
{
    database_time expires_at{};
    issuance_id issuance;
};

std::string to_text(hold_place const& place);

/// Nullopt: the text is not a place.
std::optional<hold_place> read_place(std::string_view text) noexcept;

/// Which open holds to list.
struct hold_search
{
    std::optional<std::string> series;
    std::optional<std::string> after;  // a hold_place
    bounded<1, 1'000, 100> limit;
};
GAPLESS_RECORD(
    hold_search,
    (),
    (series, "Of this series only."),
    (after, "Holds after this one: `next` of the previous page, which is opaque."),
    (limit, "The most items a page may have.")
)

/// Throws wrong_field if `after` is not a place. Checked after the limit.
void check(hold_search const& wanted);

}  // namespace gapless::holds
