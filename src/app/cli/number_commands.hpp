#pragma once

namespace gapless::cli {

class command_line;

// What happens to numbers after they left; command_line.hpp has the other commands.
void add_number_commands(command_line& line);
void add_hold_commands(command_line& line);
void add_issuance_commands(command_line& line);
void add_ledger_commands(command_line& line);
void add_manifest_command(command_line& line);
void add_reconcile_command(command_line& line);

}  // namespace gapless::cli
