#pragma once

#include "record/describe.hpp"
#include "record/types.hpp"

#include <optional>
#include <string>

/// Records of the carrier operations.
namespace gapless::carriers {

using lead_days_range = bounded<0, 365>;

/// A parcel company, and how its blocks are ordered and loaded.
struct carrier
{
    std::string code;
    lead_days_range lead_days;
    bool four_eyes{};
    std::optional<std::string> contact;
};
GAPLESS_RECORD(
    carrier,
    (),
    (code, "Code of the carrier."),
    (lead_days, "Calendar days from the order of a block to its letter."),
    (four_eyes, "One person proposes a block, another one confirms it."),
    (contact, "Whom to ask for a block: address, telephone, customer number.", .in_table = false)
)

struct carrier_code
{
    std::string code;
};
GAPLESS_RECORD(carrier_code, (), (code, "Code of the carrier."))

struct carrier_change
{
    std::string code;
    given<lead_days_range> lead_days;
    given<bool> four_eyes;
    given<std::optional<std::string>> contact;
};
GAPLESS_RECORD(
    carrier_change,
    (),
    (code, "Code of the carrier."),
    (lead_days, "Calendar days from the order of a block to its letter.", .value = "N"),
    (four_eyes, "One person proposes a block, another one confirms it."),
    (contact,
     "Whom to ask for a block: up to 500 characters. Null: nobody.",
     .value = "TEXT",
     .help = "Whom to ask for a block: up to 500 characters; none: nobody",
     .null_word = "none")
)

/// A page of carriers, in the order of their codes.
struct carrier_page
{
    std::optional<std::string> after;
    bounded<1, 1'000, 100> limit;
};
GAPLESS_RECORD(
    carrier_page,
    (),
    (after, "Carriers after this code: `next` of the previous page."),
    (limit, "The most items a page may have.")
)

}  // namespace gapless::carriers
