#include "forecast/backtest.hpp"

#include "forecast/chance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gapless::test {

namespace {

constexpr std::size_t known_days = 420;  // as gapless.consumption keeps them
constexpr std::array lead_times{3, 7, 14, 30};

consumption known_on(shop_year const& lived, std::size_t day)
{
    auto const end = lived.use.begin() + static_cast<std::ptrdiff_t>(day);
    auto const begin = end - static_cast<std::ptrdiff_t>(std::min(day, known_days));
    return {
        .today = lived.first + std::chrono::days{static_cast<int>(day)},
        .numbers = {begin, end},
        .used_today = 0};
}

/// One stock that begins on a day.
struct run
{
    std::size_t begins{};
    double numbers{};
    std::int32_t lead_days{};
};

/// The day on which the last number of the stock is used; the end of the days: none.
std::size_t last_day(shop_year const& lived, run const& of)
{
    auto left = of.numbers;
    auto day = of.begins;
    for (; day < lived.use.size(); ++day)
        if ((left -= static_cast<double>(lived.use[day])) <= 0)
            break;
    return day;
}

/// The day on which the clerk orders: the first one that he finds the order date reached.
std::optional<std::size_t> order_day(
    shop_year const& lived, run const& of, std::size_t last, adviser const& advise
)
{
    auto left = of.numbers;
    auto look = of.begins;
    for (auto day = of.begins; day <= last; left -= static_cast<double>(lived.use[day++]))
    {
        if (day < look)
            continue;
        auto const known = known_on(lived, day);
        auto const order_by = advise(known, {.remaining = left, .lead_days = of.lead_days});
        if (!order_by)
            continue;
        auto const ahead = (*order_by - known.today).count();
        if (ahead <= 0)
            return day;
        look = day + static_cast<std::size_t>(std::clamp<std::int64_t>(ahead / 4, 1, 7));
    }
    return std::nullopt;
}

/// Ordered so many days before the last number.
void note_order(std::int64_t before, std::int64_t lead, outcome& found)
{
    ++found.runs;
    found.late += before < lead ? 1U : 0U;
    found.early += before > 2 * lead + 14 ? 1U : 0U;
    found.spare += static_cast<double>(before - lead);
}

/// Whether the span that was told 30 days before the last one had it in it.
void judge_span(shop_year const& lived, run const& of, std::size_t last, outcome& found)
{
    if (last < of.begins + 30)
        return;
    auto const day = last - 30;
    auto left = of.numbers;
    for (auto n = of.begins; n < day; ++n)
        left -= static_cast<double>(lived.use[n]);
    auto const told = to_forecast(known_on(lived, day), {.remaining = left, .lead_days = 0});
    if (!told)
        return;
    ++found.spans;
    found.inside += told->days_left_p10 <= 30 && 30 <= told->days_left_p90 ? 1U : 0U;
}

}  // namespace

outcome& outcome::operator+=(outcome const& other)
{
    runs += other.runs;
    late += other.late;
    early += other.early;
    days += other.days;
    spare += other.spare;
    inside += other.inside;
    spans += other.spans;
    return *this;
}

std::optional<std::chrono::sys_days> order_by_forecast(consumption const& used, stock const& left)
{
    auto const ahead = to_forecast(used, left);
    return ahead ? ahead->order_by : std::nullopt;
}

std::optional<std::chrono::sys_days> order_by_mean(consumption const& used, stock const& left)
{
    if (used.numbers.empty())
        return std::nullopt;
    auto const days = std::min<std::size_t>(7, used.numbers.size());
    double sum{};
    for (auto n = used.numbers.size() - days; n < used.numbers.size(); ++n)
        sum += static_cast<double>(used.numbers[n]);
    auto const left_days = std::min(left.remaining * static_cast<double>(days) / sum, 100'000.0);
    return used.today + std::chrono::days{static_cast<int>(left_days) - left.lead_days};
}

outcome try_advice(shop_year const& lived, std::uint64_t seed, adviser const& advise)
{
    chance dice{seed};
    outcome found;
    auto const lead = lead_times[static_cast<std::size_t>(dice.between(0, lead_times.size()))];
    for (std::size_t day = 0; day < lived.use.size();)
    {
        auto const lasts = 2 * lead + dice.between(30, 120);
        run const of{.begins = day, .numbers = std::ceil(lasts * lived.mean), .lead_days = lead};
        auto const last = last_day(lived, of);
        if (last == lived.use.size())
            break;
        auto const ordered = order_day(lived, of, last, advise);
        auto const before = ordered ? static_cast<std::int64_t>(last - *ordered) : -1;
        note_order(before, lead, found);
        found.days += static_cast<double>(last - day + 1);
        judge_span(lived, of, last, found);
        day = last + 1;
    }
    return found;
}

}  // namespace gapless::test
