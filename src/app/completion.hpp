#pragma once

#include "cli/verb.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gapless::cli {

/// The hidden first argument with which completion scripts call this program: `gapless __complete
/// WORD…`.
inline constexpr auto complete_argument = "__complete";

/// The candidates for the last of `words`, the arguments typed so far. Empty if any text or a file
/// name is allowed: the shell then offers files. `list_series` is called for names if a series is
/// expected.
std::vector<std::string> complete(
    std::span<noun const> nouns,
    std::vector<std::string> const& words,
    std::function<std::vector<std::string>()> const& list_series
);

}  // namespace gapless::cli
