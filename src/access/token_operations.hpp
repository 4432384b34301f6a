#pragma once

#include "access/token.hpp"
#include "record/operation.hpp"

#include <cstdint>
#include <string>

namespace gapless::tokens {

/// What administrators do with tokens, except revoking them.
extern feature const administration;

/// The token of that id. Refuses with not_found, forbidden.
struct read_token
{
    using answer = listed_token;
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& database) const;
};

/// Takes a token out of force; repeatable. Refuses with not_found, forbidden. It is no operation of
/// the table: HTTP forgets the token after COMMIT, and a token that revokes itself cannot be read
/// afterwards.
struct revoke_token
{
    using answer = std::int32_t;  // the token's id
    std::int32_t id{};

    result<answer> run(pqxx::transaction_base& database, std::string const& actor) const;
};

}  // namespace gapless::tokens
