#pragma once

#include "app/cli/verb.hpp"

#include <vector>

namespace gapless {

struct feature;

}  // namespace gapless

namespace gapless::cli {

/// Every command, in the order of help.
std::vector<noun> all_commands();

/// The verbs of a feature, made of its table of operations; those without a verb are left out.
noun operation_commands(feature const& of);

// One file each.
noun anchor_command();
noun block_commands();
noun carrier_commands();
noun completion_command();
noun database_commands();
noun epoch_commands();
noun format_commands();
noun hold_commands();
noun issuance_commands();
noun issue_command();
noun lease_commands();
noun ledger_commands();
noun manifest_command();
noun migrate_commands();
noun notice_commands();
noun number_commands();
noun proposal_commands();
noun reconcile_command();
noun reference_commands();
noun series_commands();
noun token_commands();
noun verify_command();

}  // namespace gapless::cli
