#include "app/commands.hpp"

#include "access/token_operations.hpp"
#include "blocks/commands.hpp"
#include "carriers/operations.hpp"
#include "cli/operation_commands.hpp"
#include "epochs/commands.hpp"
#include "formats/commands.hpp"
#include "holds/commands.hpp"
#include "invoices/commands.hpp"
#include "ledger/commands.hpp"
#include "notices/commands.hpp"
#include "numbers/commands.hpp"
#include "proof/commands.hpp"
#include "reserve/commands.hpp"
#include "series/commands.hpp"
#include "webhooks/operations.hpp"
#include "webhooks/receiver_check.hpp"

#include <algorithm>
#include <utility>

namespace gapless::cli {

namespace {

/// The commands of series; a file of series also has blocks, which the room series does not know.
noun series_and_files()
{
    auto commands = series_commands();
    auto& create = *std::ranges::find(commands.verbs, "create", &verb::name);
    create = with_series_file(std::move(create));
    return commands;
}

}  // namespace

std::vector<noun> all_commands()
{
    return {
        issue_command(),
        series_and_files(),
        block_commands(),
        operation_commands(carriers::administration),
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
        operation_commands(tokens::administration),
        notice_commands(),
        operation_commands(webhooks::administration, check_receiver),
        epoch_commands(),
        database_commands(),
        migrate_commands(),
        completion_command()};
}

}  // namespace gapless::cli
