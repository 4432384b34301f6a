#include "issuing/issuance.hpp"

#include "base/contract.hpp"

#include <algorithm>

namespace gapless {

namespace {

bool has_fate(issuance const& value, std::string_view fate) noexcept
{
    return std::ranges::find(value.parts, fate, &issuance_part::fate) != value.parts.end();
}

/// Whether `next` continues where `range` ends, as one ledger range cut in two.
bool goes_on(issued_range const& range, issued_range const& next) noexcept
{
    return next.block_id == range.block_id && next.turn == range.turn &&
           next.ordinal == range.ordinal + range.count && next.serial == range.serial + range.count;
}

}  // namespace

void set_parts(issuance& value, std::vector<issuance_part> parts)
{
    std::string_view const as_issued = value.hold_seconds ? "held" : "issued";
    value.ranges.clear();
    bool touched = false;
    for (auto& part : parts)
    {
        if (part.fate.empty())
            part.fate = as_issued;
        touched = touched || part.fate != as_issued;
        if (part.is_gone())
            continue;
        if (!value.ranges.empty() && goes_on(value.ranges.back(), part.range))
            value.ranges.back().count += part.range.count;
        else
            value.ranges.push_back(part.range);
    }
    value.parts = touched ? std::move(parts) : std::vector<issuance_part>{};
}

std::string_view state_of(issuance const& value) noexcept
{
    if (value.parts.empty())
        return value.hold_seconds ? "held" : "issued";
    for (std::string_view const fate :
         {"held", "confirmed", "issued", "reused", "expired", "released"})
        if (has_fate(value, fate))
            return fate == "confirmed" ? "issued" : fate;
    return "voided";
}

issuance_id id_of(issuance const& value)
{
    ensure(!value.parts.empty() || !value.ranges.empty(), "an issuance has numbers");
    auto const& first = value.parts.empty() ? value.ranges.front() : value.parts.front().range;
    issuance_id const place{value.series_id, first.turn, first.ordinal};
    return value.reserve ? to_answered_id(place) : place;
}

}  // namespace gapless
