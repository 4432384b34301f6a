#include "app/cli/commands.hpp"

#include "app/cli/operation_commands.hpp"
#include "app/cli/rooms/access/commands.hpp"
#include "app/cli/rooms/blocks/commands.hpp"
#include "app/cli/rooms/carriers/commands.hpp"
#include "app/cli/rooms/epochs/commands.hpp"
#include "app/cli/rooms/formats/commands.hpp"
#include "app/cli/rooms/holds/commands.hpp"
#include "app/cli/rooms/invoices/commands.hpp"
#include "app/cli/rooms/ledger/commands.hpp"
#include "app/cli/rooms/notices/commands.hpp"
#include "app/cli/rooms/numbers/commands.hpp"
#include "app/cli/rooms/proof/commands.hpp"
#include "app/cli/rooms/reserve/commands.hpp"
#include "app/cli/rooms/series/commands.hpp"
#include "hook/receiver_check.hpp"
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
        operation_commands(webhooks::administration, check_receiver),
        epoch_commands(),
        database_commands(),
        migrate_commands(),
        completion_command()};
}

}  // namespace gapless::cli
