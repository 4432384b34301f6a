#pragma once

namespace gapless::cli {

class command_line;

/// gapless anchor: publishes how far the hash chains are.
void add_anchor_command(command_line& line);

}  // namespace gapless::cli
