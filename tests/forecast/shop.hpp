#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Simulated shippers, to try forecasts on. No shipper's data is in them: shapes and sizes are
/// those that parcel companies and shops publish, with wide variation.
namespace gapless::test {

/// What happens in a shipper's years, beside weekdays, odd days and slow changes.
enum class story
{
    steady = 1,
    growth,         // 30 to 100 percent a year
    peak_season,    // Black Friday and Christmas
    strike,         // one to two weeks without a number, then the backlog
    closed_days,    // public holidays and two weeks of works holidays a year
    customer_lost,  // 40 to 70 percent less from one day to the next
    customer_won,   // 30 to 70 percent more
    go_live,        // from a tenth to all within two to six weeks
    small_shop,     // 2 to 20 numbers a day
    everything,     // a peak season, closed days, growth and a strike
};

std::span<story const> all_stories();
std::string_view name_of(story told);

struct shop_year
{
    std::chrono::sys_days first;    // the day of the first number
    std::vector<std::int64_t> use;  // by day
    double mean{};                  // numbers a day, over all days
};

/// So many days of the shipper of that seed: the same seed gives the same days on every machine.
shop_year simulate(story told, std::uint64_t seed, std::size_t days);

}  // namespace gapless::test
