#pragma once

#include "cli/verb.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gapless::cli {

/// The hidden first argument by which completion scripts ask this program: `gapless __complete
/// WORD…`.
inline constexpr auto complete_argument = "__complete";

/// What may stand in place of the last of `words`, the arguments typed so far. Empty when any text
/// may, or a file name: the shell then offers files. `list_series` is asked for names where a
/// series is due.
std::vector<std::string> complete(
    std::span<noun const> nouns,
    std::vector<std::string> const& words,
    std::function<std::vector<std::string>()> const& list_series
);

}  // namespace gapless::cli
