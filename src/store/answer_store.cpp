#include "store/answer_store.hpp"

namespace gapless {

namespace {

pqxx::binarystring to_binary(secret_hash const& hash)
{
    return pqxx::binarystring{hash.data(), hash.size()};
}

}  // namespace

std::optional<kept_answer> find_answer(
    pqxx::transaction_base& transaction, request_identity const& identity
)
{
    auto const rows = transaction.exec_params(
        "select status, location, body from gapless.answer_find($1, $2, $3)",
        identity.owner_id,
        identity.key,
        to_binary(identity.fingerprint)
    );
    if (rows.empty())
        return std::nullopt;
    return kept_answer{
        rows[0]["status"].as<int>(),
        rows[0]["location"].as<std::string>(std::string{}),
        rows[0]["body"].as<std::string>()};
}

void keep_answer(
    pqxx::transaction_base& transaction, request_identity const& identity, kept_answer const& answer
)
{
    transaction.exec_params1(
        "select gapless.answer_keep($1, $2, $3, $4, $5, $6)",
        identity.owner_id,
        identity.key,
        to_binary(identity.fingerprint),
        answer.status,
        answer.location.empty() ? std::nullopt : std::optional{answer.location},
        answer.body
    );
}

}  // namespace gapless
