#include "app/cli/argument.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json.hpp"
#include "app/cli/params.hpp"
#include "app/cli/session.hpp"
#include "cases/access.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>
#include <limits>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct token_options
{
    std::string name;
    std::vector<std::string> scopes;
    std::vector<std::string> series;
    std::string expires;
    std::string rate;
    std::string burst;
    std::string daily_quota;
    std::string id;
};

constexpr std::array token_columns{
    column{.key = "id", .number = true},
    column{.key = "name"},
    column{.key = "scopes"},
    column{.key = "series"},
    column{.key = "expires_at"},
    column{.key = "rate", .number = true},
    column{.key = "burst", .number = true},
    column{.key = "daily_quota", .number = true},
    column{.key = "created_at", .in_table = false},
    column{.key = "revoked_at", .in_table = false},
    column{.key = "state"},
};

constexpr std::array created_columns{
    column{.key = "id", .number = true},
    column{.key = "name"},
    column{.key = "scopes"},
    column{.key = "series"},
    column{.key = "expires_at"},
    column{.key = "rate", .number = true},
    column{.key = "burst", .number = true},
    column{.key = "daily_quota", .number = true},
    column{.key = "token"},
};

std::optional<std::int64_t> read_limit(std::string_view option, std::string const& text)
{
    if (text.empty())
        return std::nullopt;
    auto const number = read_integer(text, 0, std::numeric_limits<std::int64_t>::max());
    if (number.has_error())
        throw usage_error(fmt::format("{}: {}", option, number.error().detail));
    return *number;
}

/// The option that a field of the draft has.
std::string_view option_of(std::string_view field)
{
    return field == "scopes"        ? "--scope"
           : field == "expires_at"  ? "--expires"
           : field == "daily_quota" ? "--daily-quota"
           : field == "burst"       ? "--burst"
           : field == "rate"        ? "--rate"
           : field == "series"      ? "--series"
                                    : "--name";
}

token_draft read_draft(token_options const& wants)
{
    auto const now =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    token_draft draft;
    draft.name = wants.name;
    draft.scopes = read_list("--scope", wants.scopes);
    if (!wants.series.empty())
        draft.series = read_list("--series", wants.series);
    if (!wants.expires.empty())
    {
        auto const moment = read_expiry(wants.expires, now);
        if (moment.has_error())
            throw usage_error("--expires: " + moment.error().detail);
        draft.expires_at = *moment;
    }
    draft.rate = read_limit("--rate", wants.rate);
    draft.burst = read_limit("--burst", wants.burst);
    draft.daily_quota = read_limit("--daily-quota", wants.daily_quota);
    if (auto const fault = cases::find_fault(draft, now))
        throw usage_error(fmt::format("{}: {}", option_of(fault->field), fault->why));
    return draft;
}

exit_code create(session& session, token_options const& wants)
{
    auto const created = session.act(cases::create_token{read_draft(wants)});
    auto token = to_json(created.record);
    json shown;
    for (auto const* key :
         {"id", "name", "scopes", "series", "expires_at", "rate", "burst", "daily_quota"})
        shown[key] = token[key];
    shown["token"] = created.text;
    if (session.options().dry_run)
        shown["id"] = shown["token"] = nullptr;
    session.print(shown, created_columns);
    session.say(
        session.options().dry_run
            ? "dry run: nothing was changed"
            : "this is the only time the token is shown; keep it like a password"
    );
    return exit_code::ok;
}

exit_code list(session& session, token_options const&)
{
    auto rows = json::array();
    for (auto const& token : session.ask(cases::list_tokens{}))
        rows.push_back(to_json(token));
    session.print_list(rows, token_columns);
    return exit_code::ok;
}

exit_code revoke(session& session, token_options const& wants)
{
    auto const number = read_integer(wants.id, 1, std::numeric_limits<std::int32_t>::max());
    if (number.has_error())
        throw usage_error(
            fmt::format("ID: {}; 'gapless token list' shows the ids", number.error().detail)
        );
    auto const id = static_cast<std::int32_t>(*number);
    if (session.asks())
    {
        auto const token = session.ask(cases::read_token{id});
        session.confirm(
            fmt::format("Revoke token {} of '{}'? Its clients will be refused.", id, token.name)
        );
    }
    auto const revoked =
        value_of(session.change([&](pqxx::transaction_base& transaction) -> result<token_record> {
            auto const done = cases::revoke_token{id}.run(transaction, session.actor());
            if (done.has_error())
                return done.error();
            return cases::read_token{id}.run(transaction);
        }));
    session.print(to_json(revoked), token_columns);
    session.say(
        session.options().dry_run ? "dry run: nothing was changed"
                                  : "revoked; a running service notices within seconds"
    );
    return exit_code::ok;
}

parameters new_parameters(token_options& into)
{
    return {
        {.name = "--name",
         .into = &into.name,
         .help = "Whose it is; tokens of one name share their idempotency keys",
         .value = "NAME",
         .required = true},
        {.name = "--scope",
         .into = &into.scopes,
         .help = "What it allows: issue, read, load, admin, with commas between",
         .value = "SCOPES",
         .required = true,
         .values_max = 1},
        {.name = "--series",
         .into = &into.series,
         .help = "For these series only, with commas between",
         .value = "SERIES",
         .values_max = 1},
        {.name = "--expires",
         .into = &into.expires,
         .help = "30d, 12h, a date (UTC) or an RFC 3339 moment; default: never",
         .value = "WHEN"},
        {.name = "--rate",
         .into = &into.rate,
         .help = "Requests a second at each instance; 0: no limit; default: token_rate",
         .value = "N"},
        {.name = "--burst",
         .into = &into.burst,
         .help = "Requests at once; default: those of one second",
         .value = "N"},
        {.name = "--daily-quota",
         .into = &into.daily_quota,
         .help = "Numbers a day (UTC); 0: no limit; default: token_daily_quota",
         .value = "N"},
    };
}

parameters id_parameter(token_options& into)
{
    return {{.name = "ID", .into = &into.id, .help = "Id of the token", .required = true}};
}

}  // namespace

noun token_commands()
{
    return {
        .name = "token",
        .summary = "Tokens for the HTTP interface",
        .verbs = {
            verb_of<token_options>{
                .name = "create",
                .summary = "Create a token; its text is shown once",
                .takes = new_parameters,
                .run = create},
            verb_of<token_options>{.name = "list", .summary = "List the tokens", .run = list},
            verb_of<token_options>{
                .name = "revoke",
                .summary = "Take a token out of force",
                .takes = id_parameter,
                .run = revoke},
        }};
}

}  // namespace gapless::cli
