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
    std::vector<std::int64_t> numbers;  // of the days that are over; the last one is yesterday
    std::int64_t used_today{};
};

/// What there is to use, and how long a carrier takes for more.
struct stock
{
    double remaining{};        // numbers
    std::int32_t lead_days{};  // calendar days from the order of a block to its letter
};

/// How long the remaining numbers of a series last, as docs/design/forecast.md says. Days are whole
/// ones from today; a date that is none lies more than a thousand years ahead.
struct forecast
{
    double per_day{};        // numbers, the mean of the latest four weeks
    double days_left{};      // as likely shorter as longer
    double days_left_p10{};  // shorter in one of ten cases
    double days_left_p90{};  // longer in one of ten cases
    std::optional<std::chrono::sys_days> exhausted_on{};
    std::optional<std::chrono::sys_days> exhausted_from{};
    std::optional<std::chrono::sys_days> exhausted_to{};
    std::optional<std::chrono::sys_days> order_by{};  // can be over
    std::int32_t lead_days{};
};

/// Below so many days with numbers there is no forecast.
constexpr int working_days_min = 3;

/// The forecast as of today; none before three days with numbers are over. The same counts give the
/// same forecast.
std::optional<forecast> to_forecast(consumption const& used, stock const& left);

}  // namespace gapless
