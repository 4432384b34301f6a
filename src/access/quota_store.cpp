#include "access/quota_store.hpp"

#include "postgres/query.hpp"

#include <fmt/format.h>

namespace gapless {

quota_grant reserve_quota(
    pqxx::transaction_base& transaction,
    std::int32_t token_id,
    std::int64_t quota,
    std::int64_t count
)
{
    auto const row = query_row(
        transaction, "select * from gapless.quota_reserve($1, $2, $3)", token_id, quota, count
    );
    return {
        .day = row["day_number"].as<std::int32_t>(),
        .left_of_day = std::chrono::seconds{row["seconds_left"].as<std::int64_t>()},
        .reserved = row["reserved"].as<std::int64_t>(),
        .granted = row["granted"].as<std::int64_t>()};
}

void return_quota(
    pqxx::transaction_base& transaction, std::int32_t token_id, std::int32_t day, std::int64_t count
)
{
    execute(transaction, "select gapless.quota_return($1, $2, $3)", token_id, day, count);
}

bool key_is_spent(
    pqxx::transaction_base& transaction, std::int32_t owner_id, idempotency_key const& key
)
{
    auto const row = query_row(
        transaction,
        "select gapless.key_is_spent($1, $2::uuid)",
        owner_id,
        fmt::format("{:02x}", fmt::join(key.bytes, ""))
    );
    return row[0].as<bool>();
}

}  // namespace gapless
