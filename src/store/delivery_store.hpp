#pragma once

#include "domain/webhook.hpp"
#include "store/pqxx_fwd.hpp"

#include <cstdint>
#include <optional>
#include <vector>

/// What webhooks have to deliver. One session at a time over all instances has the turn to send;
/// the turn belongs to the connection, so all of these are called on the same one.
namespace gapless {

/// How much is sent at the same time.
struct delivery_limits
{
    std::int32_t due_max{};          // more of all webhooks
    std::int32_t per_webhook_max{};  // of one, what is under way included
    std::int32_t per_host_max{16};   // of all that deliver to one host, the same: it may be slow
};

/// Takes the turn to send: its term, 1 or more, the same for who has it already. None: another
/// session sends. It loses the turn when it ends, or asks for nothing for 30 s.
std::optional<std::int64_t> take_sender_turn(pqxx::transaction_base& transaction);

/// What is due now, at most one delivery of each lane and none of the busy ones, the longest due
/// first. Asking shows that the sender lives. Refuses with state_conflict: the term is over.
std::vector<due_delivery> read_due_deliveries(
    pqxx::transaction_base& transaction,
    std::int64_t term,
    delivery_limits const& limits,
    std::vector<webhook_lane> const& busy
);

/// Notes how deliveries ended: a lane goes on, or waits for its next attempt. What is no longer due
/// is passed over, so it can be repeated. Refuses with state_conflict: the term is over, and
/// nothing was noted.
result<void> report_deliveries(
    pqxx::transaction_base& transaction,
    std::int64_t term,
    std::vector<delivery_report> const& reports
);

/// Gives the turn back.
void leave_sender_turn(pqxx::transaction_base& transaction, std::int64_t term);

}  // namespace gapless
