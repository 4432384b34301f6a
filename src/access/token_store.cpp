#include "access/token_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"

#include <string>

namespace gapless {

namespace {

token_record to_token(pqxx::row const& row)
{
    token_record token;
    token.token_id = row["token_id"].as<std::int32_t>();
    token.owner_id = row["owner_id"].as<std::int32_t>();
    token.name = row["name"].as<std::string>();
    token.scopes = read_array(row["scopes"]);
    if (!row["series"].is_null())
        token.series = read_array(row["series"]);
    if (!row["left_us"].is_null())
        token.expires_in = std::chrono::microseconds{row["left_us"].as<std::int64_t>()};
    token.revoked_at = optional_time(row["revoked_us"]);
    token.in_force = row["in_force"].as<bool>();
    token.rate = optional_number(row["rate"]);
    token.burst = optional_number(row["burst"]);
    token.daily_quota = optional_number(row["daily_quota"]);
    return token;
}

}  // namespace

std::optional<token_record> identify_token(
    pqxx::transaction_base& transaction, std::int32_t token_id, secret_hash const& hash
)
{
    auto const rows = query_rows(
        transaction,
        "select *,"
        " (extract(epoch from expires_at - now()) * 1000000)::bigint as left_us,"
        " (extract(epoch from revoked_at) * 1000000)::bigint as revoked_us "
        "from gapless.token_identify($1, $2)",
        token_id,
        to_bytea(hash)
    );
    if (rows.empty())
        return std::nullopt;
    return to_token(rows[0]);
}

}  // namespace gapless
