#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace gapless {

/// How many numbers a series used, by day.
struct consumption
{
    std::chrono::sys_days today;        // in the database's time zone
    std::vector<std::int64_t> numbers;  // of past days; the last one is yesterday
    std::int64_t used_today{};
};

/// The remaining stock, and how long a carrier takes to deliver more.
struct stock
{
    double remaining{};                  // numbers
    std::int32_t lead_days{};            // calendar days from the order of a block to its letter
    std::optional<double> valid_days{};  // whole days to the end of the last block; none: no end
};

/// How long the remaining numbers of a series last, see docs/design/forecast.md. Days are whole
/// days from today, 2^53-1 at most; none of the three: nothing is used any more, and no block
/// expires. A missing date is more than a thousand years ahead.
struct forecast
{
    double per_day{};                       // numbers, the mean of the latest four weeks
    std::optional<double> days_left{};      // median
    std::optional<double> days_left_p10{};  // 1 of 10 cases is shorter
    std::optional<double> days_left_p90{};  // 1 of 10 cases is longer
    std::optional<std::chrono::sys_days> exhausted_on{};
    std::optional<std::chrono::sys_days> exhausted_from{};
    std::optional<std::chrono::sys_days> exhausted_to{};
    std::optional<std::chrono::sys_days> order_by{};  // may be in the past
    std::int32_t lead_days{};
};

/// With fewer days with numbers, there is no forecast.
constexpr int working_days_min = 3;

/// The forecast as of today; nullopt until three days with numbers have passed. The same counts
/// give the same forecast.
std::optional<forecast> to_forecast(consumption const& used, stock const& left);

}  // namespace gapless
