#include "service/low_water.hpp"

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

bool is_low(series_record const& series) noexcept
{
    return series.low_water &&
           compare_decimals(series.remaining, std::to_string(*series.low_water)) < 0;
}

std::vector<series_record const*> low_water_watch::find_crossings(
    std::vector<series_record> const& series
)
{
    std::vector<series_record const*> crossed;
    std::set<std::string, std::less<>> low;
    for (auto const& each : series)
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
