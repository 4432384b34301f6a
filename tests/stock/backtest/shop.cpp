#include "stock/backtest/shop.hpp"

#include "stock/backtest/chance.hpp"

#include <numeric>

namespace gapless::test {

namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

/// How many times the usual a day of the season is, for a shop to which it matters `size` much.
double season(sys_days day, double size)
{
    auto const year = year_month_day{day}.year();
    auto const black_friday =
        sys_days{year / std::chrono::November / std::chrono::Thursday[4]} + std::chrono::days{1};
    auto const from_friday = (day - black_friday).count();
    auto const to_christmas = (sys_days{year / 12 / 24} - day).count();
    if (from_friday >= -4 && from_friday < 0)
        return 1 + 0.4 * size;
    if (from_friday >= 0 && from_friday <= 4)
        return 1 + 1.6 * size;  // Friday to Cyber Week's Tuesday
    if (from_friday > 4 && to_christmas > 3)
        return 1 + 0.7 * size;
    if (to_christmas >= -7 && to_christmas <= 3)
        return 0.6;
    return 1;
}

struct shipper
{
    double size{};  // numbers a day, in the beginning
    std::array<double, 7> shape{};
    double odd{};       // how far days are from what they should be, as a logarithm
    double drift{};     // how far the level moves in a day
    double growth{};    // a year
    double season{};    // how much it matters
    double holidays{};  // of all working days
    double strike_begins{};
    double strike_days{};
    double turn{};     // the day on which a customer comes or goes
    double turned{1};  // what is left of the level from then on
    double ramp{};     // days
};

shipper draw(story const& told, chance& dice, double days)
{
    shipper drawn;
    drawn.size = told.small ? dice.spread(2, 20) : dice.spread(30, 20'000);
    std::array<double, 7> const usual{
        dice.one_in(2) ? 0 : 0.1, 1.3, 1.15, 1.05, 1, 0.95, dice.one_in(2) ? 0 : 0.35};
    for (std::size_t n = 0; n < 7; ++n)
        drawn.shape[n] = usual[n] * dice.between(0.85, 1.15);
    drawn.odd = dice.between(0.08, 0.25);
    drawn.drift = dice.between(0.005, 0.02);
    drawn.growth = dice.between(-0.1, 0.25);
    if (told.grows)
        drawn.growth = dice.between(0.3, 1);
    if (told.peaks)
        drawn.season = dice.between(0.4, 1.1);
    drawn.holidays = told.closes ? 0.045 : 0;
    if (told.strikes)
    {
        drawn.strike_begins = std::floor(dice.between(60, days));
        drawn.strike_days = std::floor(dice.between(5, 15));
    }
    drawn.turn = std::floor(dice.between(40, days));
    if (told.turned_min != told.turned_max)
        drawn.turned = dice.between(told.turned_min, told.turned_max);
    if (told.goes_live)
        drawn.ramp = std::floor(dice.between(14, 42));
    return drawn;
}

}  // namespace

shop_year simulate(std::size_t story, std::uint64_t seed, std::size_t days)
{
    auto const& told = stories[story];
    chance dice{seed * 64 + story + 1};
    auto const who = draw(told, dice, static_cast<double>(days));
    auto const first = sys_days{std::chrono::year{2024} / 1 / 8} +
                       std::chrono::days{static_cast<int>(dice.between(0, 364))};
    shop_year lived{.first = first, .use = {}};
    double wander = 0;
    double backlog = 0;
    for (auto day = first; lived.use.size() < days; day += std::chrono::days{1})
    {
        auto const n = static_cast<double>(lived.use.size());
        wander = 0.98 * wander + who.drift * dice.normal();
        auto level = who.size * std::exp(wander + std::log1p(who.growth) * n / 365);
        level *= season(day, who.season) * (n >= who.turn ? who.turned : 1);
        if (n < who.ramp)
            level *= 0.1 + 0.9 * n / who.ramp;
        auto const wanted = level * who.shape[std::chrono::weekday{day}.c_encoding()] *
                            std::exp(who.odd * dice.normal());
        auto const date = year_month_day{day};
        bool const holidays = told.works_holidays && date.month() == std::chrono::August &&
                              unsigned{date.day()} <= 14;
        bool const strikes = n >= who.strike_begins && n < who.strike_begins + who.strike_days;
        bool const closed = strikes || holidays || dice.happens(who.holidays);
        if (closed && !holidays)
            backlog += 0.8 * wanted;
        // The backlog of closed days leaves within a week.
        auto const caught_up = !closed && wanted > 0 ? 0.4 * backlog : 0;
        backlog -= caught_up;
        lived.use.push_back(closed ? 0 : dice.count(wanted + caught_up));
    }
    auto const all = std::accumulate(lived.use.begin(), lived.use.end(), std::int64_t{});
    lived.mean = static_cast<double>(all) / static_cast<double>(days);
    return lived;
}

}  // namespace gapless::test
