// Lives through the years of simulated shippers and looks whether forecasts order in time.
//
// Ends with 1 when they do not. Prints the table of docs/reports/forecast.md.
#include "forecast/report.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

using namespace gapless;
using namespace gapless::test;

namespace {

constexpr std::size_t years = 900;  // days
constexpr std::size_t beginnings = 200;

comparison compare(story told, std::uint64_t shippers)
{
    comparison found{.told = told};
    bool const begins = told == story::go_live;
    // A beginning is short: as many stocks take more of them.
    for (std::uint64_t seed = 1; seed <= (begins ? 6 : 1) * shippers; ++seed)
    {
        auto const lived = simulate(told, seed, begins ? beginnings : years);
        found.forecast += try_advice(lived, seed, order_by_forecast);
        found.mean += try_advice(lived, seed, order_by_mean);
    }
    return found;
}

/// What a story's forecasts have promised and not kept, in words; empty: nothing.
std::string find_fault(comparison const& of)
{
    auto const& told = of.forecast;
    if (told.runs < 100)
        return fmt::format("only {} stocks were used up", told.runs);
    if (told.in_time() < 0.99)
        return fmt::format("{} of {} blocks were ordered too late", told.late, told.runs);
    if (told.early_a_quarter() >= 1)
        return fmt::format("{:.2f} orders a quarter came too early", told.early_a_quarter());
    if (told.in_span() < 0.7)
        return fmt::format("{} of {} spans were wrong", told.spans - told.inside, told.spans);
    if (told.in_time() <= of.mean.in_time())
        return "the mean of seven days is as good";
    return {};
}

}  // namespace

int main(int count, char** arguments)
{
    std::uint64_t shippers{40};  // of each story
    CLI::App app{"Lives through simulated years and looks whether forecasts order in time"};
    app.add_option("--shippers", shippers, "so many of each story");
    CLI11_PARSE(app, count, arguments);

    std::vector<comparison> all;
    bool kept = true;
    for (auto const told : all_stories())
    {
        all.push_back(compare(told, shippers));
        auto const fault = find_fault(all.back());
        kept = kept && fault.empty();
        if (!fault.empty())
            fmt::print(stderr, "{}: {}\n", name_of(told), fault);
    }
    fmt::print("{}", to_table(all));
    return kept ? 0 : 1;
}
