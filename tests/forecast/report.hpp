#pragma once

#include "forecast/backtest.hpp"

#include <string>
#include <vector>

namespace gapless::test {

/// What became of a story's shippers, with the forecast and with the mean of seven days.
struct comparison
{
    story told{};
    outcome forecast{};
    outcome mean{};
};

/// One row per story and one of all, as Markdown.
std::string to_table(std::vector<comparison> const& all);

}  // namespace gapless::test
