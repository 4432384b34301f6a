#include "forecast/report.hpp"

#include <fmt/format.h>

namespace gapless::test {

namespace {

std::string to_row(std::string_view name, outcome const& forecast, outcome const& mean)
{
    return fmt::format(
        "| {} | {} | {:.2f} % | {:.1f} % | {:.2f} | {:.0f} days | {:.0f} % |\n",
        name,
        forecast.runs,
        100 * forecast.in_time(),
        100 * mean.in_time(),
        forecast.early_a_quarter(),
        forecast.mean_spare(),
        100 * forecast.in_span()
    );
}

}  // namespace

std::string to_table(std::vector<comparison> const& all)
{
    std::string table =
        "| Shipper | Stocks | In time | In time, mean of 7 days | Too early a quarter | To spare | "
        "In the span |\n|---|--:|--:|--:|--:|--:|--:|\n";
    outcome forecast;
    outcome mean;
    for (auto const& one : all)
    {
        table += to_row(name_of(one.told), one.forecast, one.mean);
        forecast += one.forecast;
        mean += one.mean;
    }
    return table + to_row("all", forecast, mean);
}

}  // namespace gapless::test
