#pragma once

#include "base/idempotency_key.hpp"
#include "record/pqxx_fwd.hpp"

#include <chrono>
#include <cstdint>

namespace gapless {

/// The answer to a request for numbers from a token's quota of the day.
struct quota_grant
{
    std::int32_t day{};  // since 1970-01-01, in the database's time zone
    std::chrono::seconds left_of_day{};
    std::int64_t reserved{};  // from the day's quota, by all instances, including this grant
    std::int64_t granted{};   // 0: fewer than requested are left
};

/// Sets at least `count` numbers of today's quota aside, or none. Not idempotent: each call sets
/// more aside.
quota_grant reserve_quota(
    pqxx::transaction_base& transaction,
    std::int32_t token_id,
    std::int64_t quota,
    std::int64_t count
);

/// Returns numbers that were not used.
void return_quota(
    pqxx::transaction_base& transaction, std::int32_t token_id, std::int32_t day, std::int64_t count
);

/// Whether an issuance of this owner has this key.
bool key_is_spent(
    pqxx::transaction_base& transaction, std::int32_t owner_id, idempotency_key const& key
);

}  // namespace gapless
