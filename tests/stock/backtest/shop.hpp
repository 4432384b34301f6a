#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

/// Simulated shippers, to try forecasts on. No shipper's data is in them: shapes and sizes are
/// those that parcel companies and shops publish, with wide variation.
namespace gapless::test {

/// What happens in a shipper's years, beside weekdays, odd days, a level that wanders, and 10
/// percent less to 25 percent more a year.
struct story
{
    std::string_view name;
    bool grows{};           // 30 to 100 percent a year
    bool peaks{};           // up to 2.8 times the usual on Black Friday, 1.8 until Christmas
    bool strikes{};         // one to two weeks without a number, then the backlog
    bool closes{};          // one day in 22, and its backlog
    bool works_holidays{};  // two weeks in August
    double turned_min{1};   // what a customer who comes or goes leaves of the level,
    double turned_max{1};   // from one day to the next
    bool goes_live{};       // from a tenth to all within two to six weeks
    bool small{};           // 2 to 20 numbers a day
};

constexpr std::array stories{
    story{.name = "steady"},
    story{.name = "growth", .grows = true},
    story{.name = "Black Friday, Christmas", .peaks = true},
    story{.name = "strike", .strikes = true},
    story{.name = "closed days", .closes = true, .works_holidays = true},
    story{.name = "customer lost", .turned_min = 0.3, .turned_max = 0.6},
    story{.name = "customer won", .turned_min = 1.3, .turned_max = 1.7},
    story{.name = "go-live", .goes_live = true},
    story{.name = "small shop", .small = true},
    story{.name = "everything", .grows = true, .peaks = true, .strikes = true, .closes = true}};

struct shop_year
{
    std::chrono::sys_days first;    // the day of the first number
    std::vector<std::int64_t> use;  // by day
    double mean{};                  // numbers a day, over all days
};

/// So many days of the shipper of that seed, who lives through stories[story]: the same seed gives
/// the same days on every machine.
shop_year simulate(std::size_t story, std::uint64_t seed, std::size_t days);

}  // namespace gapless::test
