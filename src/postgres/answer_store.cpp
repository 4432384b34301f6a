#include "postgres/answer_store.hpp"

#include "postgres/columns.hpp"
#include "postgres/query.hpp"

namespace gapless {

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

std::optional<kept_answer> find_answer(
    pqxx::transaction_base& transaction, request_identity const& identity
)
{
    auto const rows = query_rows(
        transaction,
        "select status, location, body from gapless.answer_find($1, $2::uuid::text, $3)",
        identity.owner_id,
        to_hexadecimal(identity.key.bytes),
        to_bytea(identity.fingerprint)
    );
    if (rows.empty())
        return std::nullopt;
    return kept_answer{
        rows[0]["status"].as<int>(),
        rows[0]["location"].as<std::string>(std::string{}),
        rows[0]["body"].as<std::string>()};
}

void write_replay(pqxx::transaction_base& transaction)
{
    execute(transaction, "select pg_logical_emit_message(true, 'gapless', 'replay')");
}

void keep_answer(
    pqxx::transaction_base& transaction, request_identity const& identity, kept_answer const& answer
)
{
    execute(
        transaction,
        "select gapless.answer_keep(p_owner_id => $1, p_key => $2::uuid::text, "
        "p_fingerprint => $3, p_status => $4, p_location => $5, p_body => $6)",
        identity.owner_id,
        to_hexadecimal(identity.key.bytes),
        to_bytea(identity.fingerprint),
        answer.status,
        answer.location.empty() ? std::nullopt : std::optional{answer.location},
        answer.body
    );
}

std::int64_t expire_answers(
    pqxx::transaction_base& transaction, std::chrono::milliseconds life, std::int64_t answers_max
)
{
    return query_value<std::int64_t>(
        transaction,
        "select gapless.answers_expire($1 * interval '1 millisecond', $2)",
        static_cast<std::int64_t>(life.count()),
        answers_max
    );
}

}  // namespace gapless
