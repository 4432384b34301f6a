#pragma once

namespace gapless::cli {

class command_line;

/// gapless reference erase: forgets what numbers were issued for.
void add_reference_commands(command_line& line);

}  // namespace gapless::cli
