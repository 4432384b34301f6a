#include "app/cli/commands.hpp"

#include "webhooks/operations.hpp"

namespace gapless::cli {

std::vector<noun> all_commands()
{
    return {
        issue_command(),
        series_commands(),
        block_commands(),
        carrier_commands(),
        proposal_commands(),
        number_commands(),
        hold_commands(),
        issuance_commands(),
        lease_commands(),
        reference_commands(),
        ledger_commands(),
        manifest_command(),
        reconcile_command(),
        verify_command(),
        anchor_command(),
        format_commands(),
        token_commands(),
        notice_commands(),
        operation_commands(webhooks::administration),
        epoch_commands(),
        database_commands(),
        migrate_commands(),
        completion_command()};
}

}  // namespace gapless::cli
