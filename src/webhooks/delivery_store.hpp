#pragma once

#include "record/pqxx_fwd.hpp"
#include "webhooks/delivery.hpp"

#include <cstdint>
#include <vector>

/// Deliveries of webhooks. Of all instances one session at a time sends, so all of these are called
/// on the same connection.
namespace gapless {

/// Whether this session sends from now on. Another one may once it ends, or is silent for 30 s.
bool take_sender_turn(pqxx::transaction_base& transaction);

/// The due deliveries, the longest overdue first: at most `due_max`, one per webhook and none of
/// the busy webhooks, which count towards the shares of hosts and persons. Only for the session
/// that sends; others are refused with state_conflict.
std::vector<delivery> read_due_deliveries(
    pqxx::transaction_base& transaction,
    std::int32_t due_max,
    std::vector<std::int32_t> const& busy_webhooks
);

/// Records how deliveries ended: a webhook continues, or waits for its next attempt. Skips webhooks
/// that were changed meanwhile, so it can be repeated. Returns the webhooks whose result is done
/// with; the others are locked by somebody else: report them again later. Only for the session that
/// sends.
std::vector<std::int32_t> report_deliveries(
    pqxx::transaction_base& transaction, std::vector<delivery_report> reports
);

}  // namespace gapless
