#include "store/token_store.hpp"

#include "base/contract.hpp"
#include "store/columns.hpp"
#include "store/query.hpp"

#include <string_view>

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
    token.expires_at = optional_time(row["expires_us"]);
    token.created_at = to_time(row["created_us"]);
    token.revoked_at = optional_time(row["revoked_us"]);
    token.in_force = row["in_force"].as<bool>();
    token.rate = optional_number(row["rate"]);
    token.burst = optional_number(row["burst"]);
    token.daily_quota = optional_number(row["daily_quota"]);
    return token;
}

}  // namespace

created_token create_token(
    pqxx::transaction_base& transaction, token_draft const& draft, std::string const& actor
)
{
    auto const secret = make_token_secret();
    auto const row = query_row(
        transaction,
        "select gapless.token_create(p_name => $1, p_secret_hash => $2, p_scopes => $3, "
        "p_series => $4, p_expires_at => $5::timestamptz, p_actor => $6, p_rate => $7, "
        "p_burst => $8, p_daily_quota => $9)",
        draft.name,
        to_bytea(hash_token_secret(secret)),
        to_array(draft.scopes),
        draft.series ? std::optional{to_array(*draft.series)} : std::nullopt,
        to_parameter(draft.expires_at),
        actor,
        draft.rate,
        draft.burst,
        draft.daily_quota
    );
    auto const created = read_tokens(transaction, {.id = row[0].as<std::int32_t>()});
    ensure(created.size() == 1, "a token that was created can be read");
    return {created.front(), to_token_text(created.front().token_id, secret)};
}

std::vector<token_record> read_tokens(pqxx::transaction_base& transaction, token_page const& page)
{
    std::vector<token_record> all;
    auto const rows = query_rows(
        transaction,
        "select *,"
        " (extract(epoch from expires_at) * 1000000)::bigint as expires_us,"
        " (extract(epoch from created_at) * 1000000)::bigint as created_us,"
        " (extract(epoch from revoked_at) * 1000000)::bigint as revoked_us "
        "from gapless.token_page(p_token_id => $1, p_after => $2, p_limit => $3)",
        page.id,
        page.after,
        page.limit
    );
    for (auto const& row : rows)
        all.push_back(to_token(row));
    return all;
}

std::optional<token_record> identify_token(
    pqxx::transaction_base& transaction, std::int32_t token_id, secret_hash const& hash
)
{
    auto const rows = query_rows(
        transaction,
        "select *,"
        " (extract(epoch from expires_at) * 1000000)::bigint as expires_us,"
        " (extract(epoch from created_at) * 1000000)::bigint as created_us,"
        " (extract(epoch from revoked_at) * 1000000)::bigint as revoked_us "
        "from gapless.token_identify($1, $2)",
        token_id,
        to_bytea(hash)
    );
    if (rows.empty())
        return std::nullopt;
    return to_token(rows[0]);
}

void revoke_token(
    pqxx::transaction_base& transaction, std::int32_t token_id, std::string const& actor
)
{
    execute(transaction, "select gapless.token_revoke($1, $2)", token_id, actor);
}

void name_actor(pqxx::transaction_base& transaction, request_actor const& actor)
{
    execute(
        transaction,
        "select set_config('gapless.token_id', $1, true), "
        "set_config('gapless.token_hash', $2, true), "
        "set_config('gapless.request_id', $3, true)",
        actor.token_id > 0 ? std::to_string(actor.token_id) : std::string{},
        actor.token_id > 0 ? to_hexadecimal(actor.hash) : std::string{},
        actor.request_id
    );
}

}  // namespace gapless
