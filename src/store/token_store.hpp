#pragma once

#include "domain/token.hpp"
#include "store/pqxx_fwd.hpp"

#include <optional>

namespace gapless {

/// The token of that id and the secret of that hash, whether in force or not; none: there is no
/// such token.
std::optional<token_record> identify_token(
    pqxx::transaction_base& transaction, std::int32_t token_id, secret_hash const& hash
);

/// Names token and request for this transaction: the database checks the token's scope before it
/// acts, and names both in the audit rows.
void name_actor(pqxx::transaction_base& transaction, request_actor const& actor);

}  // namespace gapless
