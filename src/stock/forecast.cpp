#include "stock/forecast.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>

namespace gapless {

namespace {

constexpr std::size_t window_days = 28;
constexpr double days_ahead_max = 365'000;
constexpr double rounding = 1e-9;
constexpr double days_max = 9'007'199'254'740'991;  // 2^53-1: no JSON parser rounds it

/// The usual use of days, from the last four weeks.
struct usual_use
{
    std::array<double, 7> days{};  // means of the weekdays of today and the six days after it
    double week{};                 // the sum of these
    double variance{};             // of a day's numbers
};

usual_use read_usual_use(std::vector<std::int64_t> const& numbers)
{
    auto const latest = std::span{numbers}.last(std::min(numbers.size(), window_days));
    auto const count = static_cast<double>(latest.size());
    auto const mean = std::accumulate(latest.begin(), latest.end(), 0.0) / count;
    usual_use usual;
    std::array<double, 7> seen{};
    for (std::size_t ago = 1; ago <= latest.size(); ++ago)
    {
        auto const used = static_cast<double>(latest[latest.size() - ago]);
        auto const day = (window_days - ago) % 7;  // from today, of the same weekday
        usual.days[day] += used;
        ++seen[day];
        usual.variance += (used - mean) * (used - mean) / count;
    }
    for (std::size_t day = 0; day < 7; ++day)
    {
        usual.days[day] = seen[day] > 0 ? usual.days[day] / seen[day] : mean;
        usual.week += usual.days[day];
    }
    return usual;
}

/// The demand that a stock is expected to meet.
struct demand
{
    double pace;    // factor of the usual use
    double safety;  // standard deviations of a day, times the square root of the days
};

constexpr demand as_likely_more_as_less{.pace = 1, .safety = 0};
constexpr demand more_in_one_of_ten{.pace = 1.1, .safety = 1.28};
constexpr demand less_in_one_of_ten{.pace = 0.9, .safety = -1.28};
// No past data predicts a first Black Friday, or a new customer.
constexpr demand to_order_for{.pace = 1.6, .safety = 3};

/// How much usual use the remaining numbers, more than zero, cover at that demand. x numbers of
/// usual use take x / mean days, so x solves pace x + safety sqrt(variance x / mean) = remaining.
double covered_use(usual_use const& usual, double remaining, demand of)
{
    auto const spread = of.safety * std::sqrt(usual.variance * 7 / usual.week);
    auto const root =
        (std::sqrt(spread * spread + 4 * of.pace * remaining) - spread) / (2 * of.pace);
    return root * root;
}

/// Whole days from today for that much usual use.
double whole_days(usual_use const& usual, double use)
{
    use *= 1 + rounding;  // a day that fits exactly must fit
    auto const weeks = std::floor(use / usual.week);
    use -= weeks * usual.week;
    std::array<double, 7> sums{};
    std::partial_sum(usual.days.begin(), usual.days.end(), sums.begin());
    auto const fit = std::ranges::upper_bound(sums, use) - sums.begin();
    return 7 * weeks + static_cast<double>(fit);
}

std::optional<std::chrono::sys_days> day_after(
    std::chrono::sys_days today, std::optional<double> days
)
{
    if (!days || *days > days_ahead_max)
        return std::nullopt;
    return today + std::chrono::days{static_cast<int>(*days)};
}

}  // namespace

std::optional<forecast> to_forecast(consumption const& used, stock const& left)
{
    if (std::ranges::count_if(used.numbers, [](auto n) { return n > 0; }) < working_days_min)
        return std::nullopt;
    auto const usual = read_usual_use(used.numbers);
    // Today's use so far is not expected again.
    auto const over = std::min(static_cast<double>(used.used_today), usual.days[0]);
    auto const most = left.valid_days.value_or(days_max);
    auto const days = [&](demand of) -> std::optional<double> {
        if (left.remaining <= 0)
            return 0;
        if (usual.week <= 0)
            return left.valid_days;
        return std::min(most, whole_days(usual, covered_use(usual, left.remaining, of) + over));
    };
    forecast ahead{
        .per_day = usual.week / 7,
        .days_left = days(as_likely_more_as_less),
        .days_left_p10 = days(more_in_one_of_ten),
        .days_left_p90 = days(less_in_one_of_ten),
        .lead_days = left.lead_days};
    ahead.exhausted_on = day_after(used.today, ahead.days_left);
    ahead.exhausted_from = day_after(used.today, ahead.days_left_p10);
    ahead.exhausted_to = day_after(used.today, ahead.days_left_p90);
    if (auto const earliest = day_after(used.today, days(to_order_for)))
        ahead.order_by = *earliest - std::chrono::days{left.lead_days};
    return ahead;
}

}  // namespace gapless
