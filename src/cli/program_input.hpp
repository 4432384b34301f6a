#pragma once

#include "cli/interrupts.hpp"

#include <string>
#include <string_view>

namespace gapless::cli {

/// Runs a command of the shell with `input` on its standard input, and waits for its end. Returns
/// its exit code, or 128 and the signal that ended it. It may leave its input unread. Signals do to
/// it what they do to any program; it is a process group of its own, which ends when this program
/// is interrupted. Blocks. Throws command_failed (failure) where there is no process for it.
int run_with_input(interrupts& signals, std::string const& command, std::string_view input);

}  // namespace gapless::cli
