// Lives through the years of simulated shippers and looks whether forecasts order in time.
//
// Ends with 1 when they do not. Prints the table of docs/reports/forecast.md; with an argument N,
// that of other shippers, the N-th hundred of them.
#include "stock/backtest/chance.hpp"
#include "stock/backtest/shop.hpp"
#include "stock/forecast.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <string_view>

using namespace gapless;
using namespace gapless::test;

namespace {

constexpr std::uint64_t shippers = 100;  // of each story
constexpr std::size_t years = 900;       // days
constexpr std::size_t beginnings = 200;
constexpr std::size_t known_days = 420;  // as gapless.consumption keeps them
constexpr std::array lead_times{3, 7, 14, 30};

/// What became of the order dates. A run is one stock, from its first day to its last.
struct outcome
{
    double runs{};
    double late{};    // ordered less than lead_days before the last number, or never
    double early{};   // more than twice the lead time and 14 days before it
    double days{};    // of all runs
    double spare{};   // days between the order and lead_days before the last number
    double inside{};  // runs whose last day was from exhausted_from to exhausted_to …
    double spans{};   // … as told 30 days before, of so many

    double in_time() const { return 1 - late / runs; }
    double early_a_quarter() const { return early * 91.25 / days; }
    double in_span() const { return inside / spans; }

    outcome& operator+=(outcome const& other)
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
};

/// One stock: begins on a day, and is used up on a later one, which is the last.
struct run
{
    shop_year const& lived;
    std::size_t begins{};
    double numbers{};
    std::int32_t lead_days{};

    /// The days of the year: the stock outlasts them.
    std::size_t last() const
    {
        auto day = begins;
        for (auto left = numbers; day < lived.use.size(); ++day)
            if ((left -= static_cast<double>(lived.use[day])) <= 0)
                break;
        return day;
    }

    std::optional<forecast> told_on(std::size_t day) const
    {
        auto const at = [this](std::size_t n) {
            return lived.use.begin() + static_cast<std::ptrdiff_t>(n);
        };
        auto const used = std::accumulate(at(begins), at(day), std::int64_t{});
        return to_forecast(
            {.today = lived.first + std::chrono::days{static_cast<int>(day)},
             .numbers = {at(day - std::min(day, known_days)), at(day)}},
            {.remaining = numbers - static_cast<double>(used), .lead_days = lead_days}
        );
    }

    /// The first day on which the clerk finds the order date reached. He looks each day, and rarely
    /// while the date is far.
    std::optional<std::size_t> ordered(std::size_t last) const
    {
        for (auto day = begins; day <= last;)
        {
            auto const told = told_on(day);
            auto const today = lived.first + std::chrono::days{static_cast<int>(day)};
            auto const ahead = told && told->order_by ? (*told->order_by - today).count() : 1;
            if (ahead <= 0)
                return day;
            day += static_cast<std::size_t>(std::clamp<std::int64_t>(ahead / 4, 1, 7));
        }
        return std::nullopt;
    }
};

void judge(run const& of, std::size_t last, outcome& found)
{
    auto const ordered = of.ordered(last);
    auto const before = ordered ? static_cast<std::int64_t>(last - *ordered) : -1;
    ++found.runs;
    found.late += before < of.lead_days ? 1 : 0;
    found.early += before > 2 * of.lead_days + 14 ? 1 : 0;
    found.spare += static_cast<double>(before - of.lead_days);
    found.days += static_cast<double>(last - of.begins + 1);
    auto const told = last < of.begins + 30 ? std::nullopt : of.told_on(last - 30);
    if (!told)
        return;
    ++found.spans;
    found.inside += told->days_left_p10 <= 30 && 30 <= told->days_left_p90 ? 1 : 0;
}

/// Stock after stock; each lasts longer than the lead time.
outcome live(shop_year const& lived, std::uint64_t seed)
{
    chance dice{seed};
    outcome found;
    auto const lead = lead_times[static_cast<std::size_t>(dice.between(0, lead_times.size()))];
    for (std::size_t day = 0; day < lived.use.size();)
    {
        auto const lasts = 2 * lead + dice.between(30, 120);
        run const of{lived, day, std::ceil(lasts * lived.mean), lead};
        auto const last = of.last();
        if (last < lived.use.size())
            judge(of, last, found);
        day = last + 1;
    }
    return found;
}

outcome live(std::size_t story, std::uint64_t hundreds)
{
    outcome found;
    bool const begins = stories[story].goes_live;
    // A beginning is short: as many stocks take more of them.
    auto const count = (begins ? 6 : 1) * shippers;
    for (auto seed = hundreds * count + 1; seed <= (hundreds + 1) * count; ++seed)
        found += live(simulate(story, seed, begins ? beginnings : years), seed);
    return found;
}

bool is_kept(outcome const& of)
{
    return of.runs >= 100 && of.in_time() >= 0.995 && of.early_a_quarter() <= 0.25 &&
           of.in_span() >= 0.8;
}

void print_row(std::string_view name, outcome const& of)
{
    fmt::print(
        "| {} | {} | {:.2f} % | {:.2f} | {:.0f} days | {:.0f} % |\n",
        name,
        of.runs,
        100 * of.in_time(),
        of.early_a_quarter(),
        of.spare / of.runs,
        100 * of.in_span()
    );
}

}  // namespace

int main(int count, char** arguments)
{
    std::string_view const told{count > 1 ? arguments[1] : "0"};
    std::uint64_t hundreds{};
    std::from_chars(told.data(), told.data() + told.size(), hundreds);
    fmt::print("| Shipper | Stocks | In time | Too early a quarter | To spare | In the span |\n"
               "|---|--:|--:|--:|--:|--:|\n");
    outcome all;
    bool kept = true;
    for (std::size_t story = 0; story < stories.size(); ++story)
    {
        auto const found = live(story, hundreds);
        print_row(stories[story].name, found);
        kept = kept && is_kept(found);
        all += found;
    }
    print_row("all", all);
    if (!kept)
        fmt::print(
            stderr,
            "of each shipper, 100 stocks or more, 99.5 % in time, 0.25 too early, 80 % in the span "
            "are promised\n"
        );
    return kept ? 0 : 1;
}
