#include "series/low_water.hpp"

#include <compare>
#include <string_view>

namespace gapless {

namespace {

/// Compares two decimals without sign and leading zeros, of any length.
std::strong_ordering compare_decimals(std::string_view one, std::string_view other) noexcept
{
    if (one.size() != other.size())
        return one.size() <=> other.size();
    return one <=> other;
}

}  // namespace

bool is_low(series::watched_series const& one) noexcept
{
    return one.low_water &&
           compare_decimals(one.remaining, std::to_string(one.low_water->value)) < 0;
}

std::vector<series::watched_series const*> low_water_watch::find_newly_low(
    std::vector<series::watched_series> const& all
)
{
    std::vector<series::watched_series const*> crossed;
    std::set<std::string, std::less<>> low;
    for (auto const& each : all)
    {
        if (!is_low(each))
            continue;
        if (!low_.contains(each.name))
            crossed.push_back(&each);
        low.insert(each.name);
    }
    low_ = std::move(low);
    return crossed;
}

}  // namespace gapless
