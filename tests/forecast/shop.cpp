#include "forecast/shop.hpp"

#include "forecast/chance.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace gapless::test {

namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::array stories{
    story::steady,
    story::growth,
    story::peak_season,
    story::strike,
    story::closed_days,
    story::customer_lost,
    story::customer_won,
    story::go_live,
    story::small_shop,
    story::everything};

/// Days from 1 November to the Friday after its fourth Thursday, which is Black Friday.
sys_days black_friday(std::chrono::year in)
{
    return sys_days{in / std::chrono::November / std::chrono::Thursday[4]} + std::chrono::days{1};
}

/// How many times the usual a day of the season is, for a shop to which it matters `size` much.
double season(sys_days day, double size)
{
    auto const year = year_month_day{day}.year();
    auto const from_friday = (day - black_friday(year)).count();
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
    double odd{};    // how far days are from what they should be, as a logarithm
    double drift{};  // how far the level moves in a day
    double growth{};
    double season{};
    double holidays{};  // of all working days
    bool company_holidays{};
    std::size_t strike_begins{};
    std::size_t strike_days{};
    std::size_t turn{};  // the day on which a customer comes or goes
    double turned{1};    // what is left of the level from then on
    std::size_t ramp{};  // days
};

shipper draw(story told, chance& dice, std::size_t days)
{
    shipper drawn;
    bool const all = told == story::everything;
    drawn.size = told == story::small_shop ? dice.spread(2, 20) : dice.spread(30, 20'000);
    std::array<double, 7> const usual{
        dice.one_in(2) ? 0 : 0.1, 1.3, 1.15, 1.05, 1, 0.95, dice.one_in(2) ? 0 : 0.35};
    for (std::size_t n = 0; n < 7; ++n)
        drawn.shape[n] = usual[n] * dice.between(0.85, 1.15);
    drawn.odd = dice.between(0.08, 0.25);
    drawn.drift = dice.between(0.005, 0.02);
    drawn.growth = dice.between(-0.1, 0.25);
    if (told == story::growth || all)
        drawn.growth = dice.between(0.3, 1);
    if (told == story::peak_season || all)
        drawn.season = dice.between(0.4, 1.1);
    drawn.holidays = told == story::closed_days || all ? 0.045 : 0;
    drawn.company_holidays = told == story::closed_days;
    if (told == story::strike || all)
    {
        drawn.strike_begins = static_cast<std::size_t>(dice.between(60, static_cast<double>(days)));
        drawn.strike_days = static_cast<std::size_t>(dice.between(5, 15));
    }
    drawn.turn = static_cast<std::size_t>(dice.between(40, static_cast<double>(days)));
    if (told == story::customer_lost)
        drawn.turned = dice.between(0.3, 0.6);
    if (told == story::customer_won)
        drawn.turned = dice.between(1.3, 1.7);
    if (told == story::go_live)
        drawn.ramp = static_cast<std::size_t>(dice.between(14, 42));
    return drawn;
}

/// The backlog of closed days leaves within a week.
double work_off(double& backlog, bool works)
{
    auto const done = works ? 0.4 * backlog : 0;
    backlog -= done;
    return done;
}

}  // namespace

std::span<story const> all_stories()
{
    return stories;
}

std::string_view name_of(story told)
{
    switch (told)
    {
    case story::steady: return "steady";
    case story::growth: return "growth";
    case story::peak_season: return "Black Friday, Christmas";
    case story::strike: return "strike";
    case story::closed_days: return "closed days";
    case story::customer_lost: return "customer lost";
    case story::customer_won: return "customer won";
    case story::go_live: return "go-live";
    case story::small_shop: return "small shop";
    case story::everything: return "everything";
    }
    return "";
}

shop_year simulate(story told, std::uint64_t seed, std::size_t days)
{
    chance dice{seed * 64 + static_cast<std::uint64_t>(told)};
    auto const who = draw(told, dice, days);
    auto const first = sys_days{std::chrono::year{2024} / 1 / 8} +
                       std::chrono::days{static_cast<int>(dice.between(0, 364))};
    shop_year lived{.first = first, .use = {}};
    double wander = 0;
    double backlog = 0;
    for (std::size_t n = 0; n < days; ++n)
    {
        auto const day = first + std::chrono::days{static_cast<int>(n)};
        auto const in_days = static_cast<double>(n);
        wander = 0.98 * wander + who.drift * dice.normal();
        auto level = who.size * std::exp(wander + std::log1p(who.growth) * in_days / 365);
        level *= season(day, who.season) * (n >= who.turn ? who.turned : 1);
        if (n < who.ramp)
            level *= 0.1 + 0.9 * in_days / static_cast<double>(who.ramp);
        auto const wanted = level * who.shape[std::chrono::weekday{day}.c_encoding()] *
                            std::exp(who.odd * dice.normal());
        auto const date = year_month_day{day};
        bool const works_holidays = who.company_holidays && date.month() == std::chrono::August &&
                                    unsigned{date.day()} <= 14;
        bool const strikes = n >= who.strike_begins && n < who.strike_begins + who.strike_days;
        bool const closed = strikes || works_holidays || dice.happens(who.holidays);
        if (closed)
            backlog += works_holidays ? 0 : 0.8 * wanted;
        auto const caught_up = work_off(backlog, !closed && wanted > 0);
        lived.use.push_back(closed ? 0 : dice.count(wanted + caught_up));
    }
    auto const all = std::accumulate(lived.use.begin(), lived.use.end(), std::int64_t{});
    lived.mean = static_cast<double>(all) / static_cast<double>(days);
    return lived;
}

}  // namespace gapless::test
