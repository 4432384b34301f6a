#pragma once

#include "cli/command_context.hpp"

#include <chrono>
#include <cstdint>
#include <string>

namespace gapless::cli {

inline constexpr std::int64_t drill_seconds_max = 600;

/// Makes instances answer requests of a series from their reserves for that long, waits until that
/// is over and settled, and prints how many numbers were issued. Blocks. Throws command_failed.
exit_code run_drill(command_context& context, std::string const& series, std::chrono::seconds time);

}  // namespace gapless::cli
