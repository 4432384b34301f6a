#pragma once

#include "access/token.hpp"
#include "record/operation.hpp"

#include <cstdint>
#include <string>

namespace gapless::tokens {

/// Administration of tokens.
extern feature const administration;

/// Revokes a token; repeatable. Refuses with not_found, forbidden. Over HTTP it is not an operation
/// of the table: the token leaves the cache after COMMIT, and one that revokes itself cannot be
/// read afterwards.
struct revoke_token
{
    using answer = std::int32_t;  // the token's id
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& database, std::string const& actor) const;
};

}  // namespace gapless::tokens
