#include "access/token_operations.hpp"

#include "access/token_text.hpp"
#include "base/contract.hpp"
#include "base/written_value.hpp"
#include "postgres/sql.hpp"
#include "record/operates.hpp"
#include "record/refused.hpp"

#include <fmt/format.h>

/// The SQL functions check the scope, and keep a token from seeing or creating anything beyond its
/// own scopes and series.
namespace gapless::tokens {

namespace {

constexpr std::size_t name_bytes_max = 100;

using limit_field = std::optional<quoted<std::int64_t>> token_draft::*;

void check_limit(token_draft const& draft, limit_field limit, std::int64_t least, std::int64_t most)
{
    auto const& number = draft.*limit;
    if (number && (*number < least || *number > most))
        throw wrong(limit, fmt::format("{} is not {} to {}", number->value, least, most));
}

void check_scopes(token_draft const& draft)
{
    if (draft.scopes.empty())
        throw wrong(
            &token_draft::scopes, "a token needs one of issue, read, load, admin, or several"
        );
    for (auto const& name : draft.scopes)
        if (!read_scope(name))
            throw wrong(
                &token_draft::scopes,
                fmt::format("{} is not one of issue, read, load, admin", written::to_quoted(name))
            );
}

}  // namespace

void check(token_draft const& draft)
{
    if (draft.name.empty() || draft.name.size() > name_bytes_max ||
        !written::is_visible(draft.name))
        throw wrong(
            &token_draft::name,
            fmt::format(
                "{} is not 1 to {} bytes of printable characters; ä has two",
                written::to_quoted(draft.name),
                name_bytes_max
            )
        );
    if (draft.name.front() == ' ' || draft.name.back() == ' ')
        throw wrong(
            &token_draft::name,
            fmt::format("{} begins or ends with a blank", written::to_quoted(draft.name))
        );
    check_scopes(draft);
    if (draft.series && draft.series->empty())
        throw wrong(&token_draft::series, "it must not be empty; omit it for every series");
    check_limit(draft, &token_draft::rate, 0, rate_max);
    check_limit(draft, &token_draft::burst, 1, rate_max);
    check_limit(draft, &token_draft::daily_quota, 0, daily_quota_max);
    if (draft.burst && (!draft.rate || *draft.rate == 0))
        throw wrong(&token_draft::burst, "it goes with a rate");
}

namespace {

using optional_id = std::optional<std::int32_t>;

/// The token of that id, and those with ids above `after` (nullopt: any), as far as the acting
/// token may see them.
std::vector<listed_token> find(
    pqxx::transaction_base& database,
    optional_id id,
    optional_id after = std::nullopt,
    optional_id limit = std::nullopt
)
{
    return select<listed_token>(
        database,
        "select token_id as id, *, case when revoked_at is not null then 'revoked' "
        "when in_force then 'in force' else 'expired' end as state "
        "from gapless.token_page(p_token_id => $1, p_after => $2, p_limit => $3)",
        id,
        after,
        limit
    );
}

std::vector<listed_token> list(pqxx::transaction_base& database, page const& wanted)
{
    return find(database, std::nullopt, wanted.after_id(), wanted.rows());
}

/// The parameters of token_create.
struct hashed_draft : token_draft
{
    std::string secret_hash;
};
GAPLESS_RECORD(hashed_draft, (token_draft), (secret_hash, "The SHA-256 of the secret, as bytea."))

/// Refuses with unknown_series, forbidden (beyond the scopes or series of the acting token),
/// out_of_range (already expired).
new_token create(pqxx::transaction_base& database, token_draft const& draft, caller const& by)
{
    auto const secret = make_token_secret();
    hashed_draft const hashed{draft, to_bytea(hash_token_secret(secret))};
    record_id const id{call(database, "token_create", hashed, by)[0][0].as<std::int32_t>()};
    auto made = find(database, id);
    ensure(made.size() == 1, "a token that was created can be read");
    auto const& token = made.front();
    if (token.expires_at && *token.expires_at <= token.created_at)
        throw refused{
            refusal_kind::out_of_range,
            fmt::format("expires_at: {} is in the past", to_rfc3339(*token.expires_at))};
    return {std::move(made.front()), {to_token_text(id, secret)}};
}

/// Refuses with not_found, forbidden.
listed_token read(pqxx::transaction_base& database, token_id const& which)
{
    auto found = find(database, which.id);
    if (found.empty())
        throw refused{
            refusal_kind::not_found,
            fmt::format("there is no token {}; list them: gapless token list", which.id.value)};
    return std::move(found.front());
}

listed_token revoke(pqxx::transaction_base& database, token_id const& which, caller const& by)
{
    value_or_throw(revoke_token{which.id}.run(database, by.name));
    return read(database, which);
}

constexpr auto shown_once = chosen_columns<
    &new_token::id,
    &new_token::name,
    &new_token::scopes,
    &new_token::series,
    &new_token::expires_at,
    &new_token::rate,
    &new_token::burst,
    &new_token::daily_quota,
    &new_token::token>;

// In the order of `gapless token --help`.
constexpr operation table[]{
    operates<&create>({
        .verb = "create",
        .method = http_method::post,
        .path = "/v1/tokens",
        .needs = scope::admin,
        .summary = "Create a token; its text is shown once",
        .description =
            "Secrets are never kept: a repeated key is refused, and says which token it created. "
            "Tokens of one name share their idempotency keys; a name is refused (403) whose tokens "
            "reach beyond the scopes or series of the token that asks. Where two people have to "
            "agree, the new token counts as the person of the one that asks.",
        .status = 201,
        .repeated = "This key created {location}; its secret was shown once and is kept nowhere. "
                    "If it was lost, revoke that token and create another one under a new key.",
        .done = "this is the only time the token is shown; keep it like a password",
        .shows = shown_once,
        .shows_alone = true,
    }),
    operates<&list>({
        .verb = "list",
        .method = http_method::get,
        .path = "/v1/tokens",
        .needs = scope::admin,
        .summary = "Tokens by id, without their secrets",
        .help = "List the tokens",
    }),
    operates<&read>({
        .verb = "show",
        .method = http_method::get,
        .summary = "Show one token",
    }),
    operates<&revoke>({
        .verb = "revoke",
        .method = http_method::delete_,
        .summary = "Revoke a token",
        .question = "Revoke token {id} of '{name}'? Its clients will be refused.",
        .done = "revoked; a running service notices within seconds",
    }),
};

}  // namespace

result<std::int32_t> revoke_token::run(pqxx::transaction_base& database, std::string const& actor)
    const
{
    execute(database, "select gapless.token_revoke(p_token_id => $1, p_actor => $2)", id, actor);
    return id;
}

constinit feature const administration{"token", "Tokens for the HTTP interface", table, "access"};

}  // namespace gapless::tokens
