#pragma once

#include "cli/command_context.hpp"
#include "cli/verb.hpp"
#include "ledger/ledger_row.hpp"

#include <optional>
#include <string>

namespace gapless::cli {

/// The option --last.
parameter last_parameter(bool& last);

/// The options --from and --to.
parameters period_parameters(std::optional<std::string>& from, std::optional<std::string>& to);

/// Adds their values to the conditions of a page. Throws command_failed (usage).
void read_period_options(
    std::optional<std::string> const& from, std::optional<std::string> const& to, ledger_page& page
);

/// Writes the numbers of all pages from this one on, one per line, like ledger_text: JSON with -o
/// json, else CSV. Blocks. Throws command_failed if the series or the block does not exist.
void write_numbers(command_context& context, std::string const& series, ledger_page const& page);

}  // namespace gapless::cli
