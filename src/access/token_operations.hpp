#pragma once

#include "access/token.hpp"
#include "record/operation.hpp"

#include <cstdint>
#include <string>

namespace gapless::tokens {

/// What administrators do with tokens.
extern feature const administration;

/// Takes a token out of force; repeatable. Refuses with not_found, forbidden. Over HTTP it is no
/// operation of the table: the token is forgotten after COMMIT, and one that revokes itself cannot
/// be read afterwards.
struct revoke_token
{
    using answer = std::int32_t;  // the token's id
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& database, std::string const& actor) const;
};

}  // namespace gapless::tokens
