#pragma once

#include "record/operation.hpp"
#include "webhooks/webhook.hpp"

#include <vector>

namespace gapless::webhooks {

/// Administration of webhooks. Deliveries are the sender's (src/webhooks/webhook_sender).
extern feature const administration;

/// Every webhook, by id.
std::vector<webhook> read_all(pqxx::transaction_base& database);

}  // namespace gapless::webhooks
