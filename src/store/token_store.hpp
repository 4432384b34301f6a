#pragma once

#include "domain/token.hpp"
#include "store/pqxx_fwd.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// What a new token is to allow.
struct token_draft
{
    std::string name;                 // its owner: keys are shared by all tokens of one name
    std::vector<std::string> scopes;  // issue, read, load, admin
    std::optional<std::vector<std::string>> series;  // none: every series
    std::optional<database_time> expires_at;         // none: never
    // 0: no limit; none: the service's.
    std::optional<std::int64_t> rate{};         // requests per second, up to rate_max
    std::optional<std::int64_t> burst{};        // requests at once, 1 or more
    std::optional<std::int64_t> daily_quota{};  // numbers per day (UTC), up to daily_quota_max
};

/// A new token with its secret, which is nowhere else.
struct created_token
{
    token_record record;
    std::string text;
};

/// Creates a token. Refuses with unknown_series, out_of_range (an unknown scope), forbidden (beyond
/// the scopes or the series of the acting token).
created_token create_token(
    pqxx::transaction_base& transaction, token_draft const& draft, std::string const& actor
);

/// Which tokens are wanted; none: all.
struct token_page
{
    std::optional<std::int32_t> id{};
    std::optional<std::int32_t> after{};  // those with higher ids
    std::optional<std::int32_t> limit{};
};

/// Tokens by id, as far as the acting token may know them. Refuses with unauthenticated, forbidden.
std::vector<token_record> read_tokens(
    pqxx::transaction_base& transaction, token_page const& page = {}
);

/// The token of that id and the secret of that hash, whether in force or not; none: there is no
/// such token.
std::optional<token_record> identify_token(
    pqxx::transaction_base& transaction, std::int32_t token_id, secret_hash const& hash
);

/// Names token and request for this transaction: the database checks the token's scope before it
/// acts, and names both in the audit rows.
void name_actor(pqxx::transaction_base& transaction, request_actor const& actor);

/// Takes a token out of force; repeatable. Refuses with not_found, forbidden.
void revoke_token(
    pqxx::transaction_base& transaction, std::int32_t token_id, std::string const& actor
);

}  // namespace gapless
