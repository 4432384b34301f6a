#pragma once

#include "record/pqxx_fwd.hpp"
#include "record/principal.hpp"

#include <chrono>
#include <optional>
#include <string>

/// Replays of requests other than issuing: their answers are kept under their idempotency keys.
namespace gapless {

/// An answer as it was sent.
struct kept_answer
{
    int status{};
    std::string location;  // empty: none
    std::string body;
};

/// Whose request under which key, and what exactly was asked.
struct request_identity
{
    std::int32_t owner_id{};
    std::string key;            // as the client wrote it, 1..255 printable ASCII characters
    secret_hash fingerprint{};  // SHA-256 of method, target and body
};

/// Names token and request for this transaction: the database checks the token's scope before it
/// acts, and names both in the audit rows.
void name_actor(pqxx::transaction_base& transaction, request_actor const& actor);

/// The answer kept under this key, or none. Refuses with idempotency_key_reused when the request
/// was another one, and as the act would when the token named for this transaction (name_actor)
/// lacks what the act asked for.
std::optional<kept_answer> find_answer(
    pqxx::transaction_base& transaction, request_identity const& identity
);

/// Has the transaction of a replay write, too, so that its COMMIT waits for the standby like the
/// first one did.
void write_replay(pqxx::transaction_base& transaction);

/// Keeps an answer, in the transaction of its effect. Never one that holds a secret, or a
/// reference, which may have to be forgotten.
void keep_answer(
    pqxx::transaction_base& transaction, request_identity const& identity, kept_answer const& answer
);

/// Deletes answers older than `life`, at most `answers_max`; their keys are new ones from then on.
/// Returns how many. At READ COMMITTED. Waits for nobody.
std::int64_t expire_answers(
    pqxx::transaction_base& transaction, std::chrono::milliseconds life, std::int64_t answers_max
);

}  // namespace gapless
