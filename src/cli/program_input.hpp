#pragma once

#include "cli/interrupts.hpp"

#include <string>
#include <string_view>

namespace gapless::cli {

/// Runs a shell command with `input` on its standard input, and waits for its end. Returns its exit
/// code, or 128 plus the signal that ended it. It may leave its input unread. It handles signals
/// like any program, in its own process group, which ends if this program is interrupted. Blocks.
/// Throws command_failed (failure) if no process can be created.
int run_with_input(interrupts& signals, std::string const& command, std::string_view input);

}  // namespace gapless::cli
