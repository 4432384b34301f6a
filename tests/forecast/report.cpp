#include "forecast/report.hpp"

#include <algorithm>
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

constexpr double bar_width = 8;
constexpr double height = 220;
constexpr double left = 50;

/// The bars of one adviser.
std::string to_bars(outcome const& of, std::string_view name, double most)
{
    std::string bars = fmt::format(R"(<g class="{}">)", name);
    for (std::size_t n = 0; n < of.by_spare.size(); ++n)
    {
        auto const share = static_cast<double>(of.by_spare[n]) / static_cast<double>(of.runs);
        auto const tall = height * share / most;
        if (of.by_spare[n] > 0)
            bars += fmt::format(
                R"(<rect x="{:.0f}" y="{:.1f}" width="{:.0f}" height="{:.1f}"/>)",
                left + bar_width * static_cast<double>(n),
                30 + height - tall,
                bar_width - 1,
                tall
            );
    }
    return bars + "</g>\n";
}

constexpr auto style = R"(<style>
text { font: 13px sans-serif; fill: #444 }
.forecast { fill: #2a6fb0; opacity: .75 }
.mean { fill: #d98a2b; opacity: .6 }
line { stroke: #444 }
</style>
)";

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

std::string to_picture(outcome const& forecast, outcome const& mean)
{
    auto const highest = [](outcome const& of) {
        return static_cast<double>(*std::ranges::max_element(of.by_spare)) /
               static_cast<double>(of.runs);
    };
    auto const most = std::max(highest(forecast), highest(mean));
    auto const width = left + bar_width * static_cast<double>(forecast.by_spare.size()) + 20;
    auto const at = [](std::int64_t days) {
        return left + bar_width * static_cast<double>(days - outcome::spare_min);
    };
    auto picture = fmt::format(
        R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {:.0f} 300" role="img">)"
        "\n<title>Days to spare when a block is ordered</title>\n",
        width
    );
    picture += style;
    picture += to_bars(mean, "mean", most) + to_bars(forecast, "forecast", most);
    picture += fmt::format(
        R"(<line x1="{0:.0f}" x2="{0:.0f}" y1="20" y2="{1:.0f}"/>)"
        "\n",
        at(0),
        30 + height
    );
    for (std::int64_t days = -10; days <= 60; days += 10)
        picture += fmt::format(
            R"(<text x="{:.0f}" y="268" text-anchor="middle">{}</text>)"
            "\n",
            at(days),
            days
        );
    picture += fmt::format(
        R"(<text x="{:.0f}" y="290">days to spare; left of the line the block comes late</text>)"
        "\n"
        R"(<text class="forecast" x="{:.0f}" y="50">forecast</text>)"
        "\n"
        R"(<text class="mean" x="{:.0f}" y="70">mean of seven days</text>)"
        "\n</svg>\n",
        left,
        at(35),
        at(35)
    );
    return picture;
}

}  // namespace gapless::test
