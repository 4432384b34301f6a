#pragma once

#include "issuing/issuance.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Records of the token operations.
namespace gapless::tokens {

/// A token as listed, without its secret.
struct listed_token
{
    record_id id;
    std::string name;
    std::vector<std::string> scopes;
    std::optional<std::vector<std::string>> series;
    std::optional<database_time> expires_at;
    std::optional<quoted<std::int64_t>> rate;
    std::optional<quoted<std::int64_t>> burst;
    std::optional<quoted<std::int64_t>> daily_quota;
    database_time created_at;
    std::optional<database_time> revoked_at;
    std::string state;
};
GAPLESS_RECORD(
    listed_token,
    (),
    (id, "Id of the token."),
    (name, "Whose it is; tokens of one name share their idempotency keys."),
    (scopes, "What it allows."),
    (series, "Null: every series."),
    (expires_at, "Null: never."),
    (rate, "Requests a second at each instance; 0: no limit; null: token_rate."),
    (burst, "Requests at once; null: those of one second."),
    (daily_quota, "Numbers a day; 0: no limit; null: token_daily_quota."),
    (created_at, "When it was created.", .in_table = false),
    (revoked_at, "Null: it is not revoked.", .in_table = false),
    (state, "in force, expired or revoked.")
)

/// A token that was just created.
struct new_token : listed_token
{
    secret token;
};
GAPLESS_RECORD(new_token, (listed_token), (token, "What a client presents; shown once."))

struct token_draft
{
    std::string name;
    distinct<std::string> scopes;
    std::optional<distinct<std::string>> series;
    std::optional<last_moment> expires_at;
    std::optional<quoted<std::int64_t>> rate;
    std::optional<quoted<std::int64_t>> burst;
    std::optional<quoted<std::int64_t>> daily_quota;
};
GAPLESS_RECORD(
    token_draft,
    (),
    (name, "Whose it is; tokens of one name share their idempotency keys."),
    (scopes,
     "What it allows: issue, read, load, admin.",
     .option = "--scope",
     .help = "What it allows: issue, read, load, admin, with commas between"),
    (series, "Null: every series.", .help = "For these series only, with commas between"),
    (expires_at,
     "A date, through its end, or a moment; without a zone, in the database's time zone. Null: "
     "never.",
     .option = "--expires",
     .value = "WHEN",
     .help = "30d, 12h, a date or a moment; default: never",
     .takes_span = true),
    (rate,
     "Requests a second at each instance; 0: no limit; null: token_rate.",
     .value = "N",
     .help = "Requests a second at each instance; 0: no limit; default: token_rate"),
    (burst,
     "Requests at once; null: those of one second.",
     .value = "N",
     .help = "Requests at once; default: those of one second"),
    (daily_quota,
     "Numbers a day; 0: no limit; null: token_daily_quota.",
     .value = "N",
     .help = "Numbers a day; 0: no limit; default: token_daily_quota")
)

struct token_id
{
    record_id id;
};
GAPLESS_RECORD(token_id, (), (id, "Id of the token.", .option = "ID"))

/// Throws wrong_field.
void check(token_draft const& draft);

}  // namespace gapless::tokens
