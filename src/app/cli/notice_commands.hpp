#pragma once

namespace gapless::cli {

class command_line;

/// gapless notice: what happened, as a list or as it happens.
void add_notice_commands(command_line& line);

}  // namespace gapless::cli
