#pragma once

#include "base/idempotency_key.hpp"
#include "record/pqxx_fwd.hpp"
#include "record/principal.hpp"

#include <chrono>
#include <optional>
#include <string>

/// Replays of requests other than issuing: their answers are kept by idempotency key.
namespace gapless {

/// An answer as it was sent.
struct kept_answer
{
    int status{};
    std::string location;  // empty: none
    std::string body;
    std::string etag{};  // not kept: the version may be another one by then
};

/// The owner and key of a request, and exactly what it asked for.
struct request_identity
{
    std::int32_t owner_id{};
    idempotency_key key;
    secret_hash fingerprint{};  // of method and path, then of the body: half of a SHA-256 each
};

/// Tells this transaction its token and request: the database checks the token's scope before it
/// acts, and records both in the audit rows.
void name_actor(pqxx::transaction_base& transaction, request_actor const& actor);

/// The answer kept under this key, or nullopt. Refuses with idempotency_key_reused if the request
/// differs, and as the act itself would if the token of this transaction (name_actor) lacks a right
/// that the act requires.
std::optional<kept_answer> find_answer(
    pqxx::transaction_base& transaction, request_identity const& identity
);

/// Makes the transaction of a replay write as well, so that its COMMIT waits for the standby like
/// the first one.
void write_replay(pqxx::transaction_base& transaction);

/// Keeps an answer, in the transaction of its effect. It must not contain a secret, nor a
/// reference, which may have to be erased.
void keep_answer(
    pqxx::transaction_base& transaction, request_identity const& identity, kept_answer const& answer
);

/// Deletes answers older than `life`, at most `answers_max`, which makes their keys new again.
/// Returns how many. At READ COMMITTED. Waits for no lock.
std::int64_t expire_answers(
    pqxx::transaction_base& transaction, std::chrono::milliseconds life, std::int64_t answers_max
);

}  // namespace gapless
