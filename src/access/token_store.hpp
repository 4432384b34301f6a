#pragma once

#include "access/token_text.hpp"
#include "record/pqxx_fwd.hpp"

#include <optional>

namespace gapless {

/// The token of that id and the secret of that hash, valid or not; nullopt: no such token.
std::optional<token_record> identify_token(
    pqxx::transaction_base& transaction, std::int32_t token_id, secret_hash const& hash
);

}  // namespace gapless
