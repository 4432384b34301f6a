#pragma once

#include "cli/command_context.hpp"
#include "epochs/epoch_standing.hpp"

#include <string>

/// Implements 'gapless epoch open'.
namespace gapless::cli {

/// The options of the commands of the noun epoch.
struct epoch_options
{
    noted_outside noted;
    std::string reason;
    std::string epoch;
    std::vector<std::string> skip;    // M of every series, or SERIES=M of one
    bool void_rest{};                 // of series with fewer numbers than to be skipped
    std::vector<std::string> leases;  // journals, or folders of them
    bool skip_leases{};
    bool without_proof{};
};

/// Throws a usage error for a reason that is empty, too long or not printable.
void check_epoch_reason(std::string const& reason);

/// Opens the next epoch, in one transaction with skipping ahead. Takes two administrators, each
/// with a database role, whatever the proof: the first call only proposes.
exit_code open_next_epoch(command_context& context, epoch_options const& wants);

}  // namespace gapless::cli
