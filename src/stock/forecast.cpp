#include "stock/forecast.hpp"

#include "stock/use_model.hpp"

#include <algorithm>
#include <cmath>

namespace gapless {

namespace {

using certainty = use_model::certainty;

constexpr double days_ahead_max = 365'000;
constexpr double rounding = 1e-9;
constexpr double days_max = 9.3e18;  // more than there can be numbers

/// The first number of whole days that the remaining numbers do not cover, less one.
double days_left(use_model const& model, double remaining, certainty how)
{
    if (remaining <= 0)
        return 0;
    // Sums of days are rounded; a day that fits exactly has to fit.
    auto const fits = [&](double days) {
        return model.use_of(days, how) <= remaining * (1 + rounding);
    };
    // The use of `covered` days fits into what remains, that of `beyond` does not.
    double covered = 0;
    double beyond = 1;
    while (beyond < days_max && fits(beyond))
    {
        covered = beyond;
        beyond *= 2;
    }
    if (beyond >= days_max)
        return days_max;
    for (;;)
    {
        // Beyond 2^53 there are no whole days any more: none lies between the two.
        auto const middle = std::floor(covered + (beyond - covered) / 2);
        if (middle <= covered || middle >= beyond)
            break;
        (fits(middle) ? covered : beyond) = middle;
    }
    return covered;
}

std::optional<std::chrono::sys_days> day_after(std::chrono::sys_days today, double days)
{
    if (days > days_ahead_max)
        return std::nullopt;
    return today + std::chrono::days{static_cast<int>(days)};
}

}  // namespace

std::optional<forecast> to_forecast(consumption const& used, stock const& left)
{
    if (std::ranges::count_if(used.numbers, [](auto n) { return n > 0; }) < working_days_min)
        return std::nullopt;
    use_model const model{used};
    auto const days = [&](certainty how) { return days_left(model, left.remaining, how); };
    forecast ahead{
        .per_day = model.per_day(),
        .days_left = days(certainty::median),
        .days_left_p10 = days(certainty::many),
        .days_left_p90 = days(certainty::few),
        .lead_days = left.lead_days};
    ahead.exhausted_on = day_after(used.today, ahead.days_left);
    ahead.exhausted_from = day_after(used.today, ahead.days_left_p10);
    ahead.exhausted_to = day_after(used.today, ahead.days_left_p90);
    if (auto const earliest = day_after(used.today, days(certainty::surge)))
        ahead.order_by = *earliest - std::chrono::days{left.lead_days};
    return ahead;
}

}  // namespace gapless
