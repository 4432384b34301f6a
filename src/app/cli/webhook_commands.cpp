#include "app/cli/argument.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json.hpp"
#include "app/cli/params.hpp"
#include "app/cli/session.hpp"
#include "cases/webhooks.hpp"
#include "domain/webhook_url.hpp"
#include "hook/find_addresses.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <limits>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct webhook_options
{
    std::string url;
    std::vector<std::string> kinds;
    std::vector<std::string> series;
    std::string networks;
    std::string id;
};

constexpr std::array webhook_columns{
    column{.key = "id", .number = true},
    column{.key = "url"},
    column{.key = "kinds"},
    column{.key = "series"},
    column{.key = "state"},
    column{.key = "pending", .number = true},
    column{.key = "last_error"},
    column{.key = "next_attempt_at"},
    column{.key = "last_delivered_at", .in_table = false},
    column{.key = "old_secret_until", .in_table = false},
    column{.key = "environment", .in_table = false},
    column{.key = "created_at", .in_table = false},
    column{.key = "created_by", .in_table = false},
};

constexpr std::array secret_columns{
    column{.key = "id", .number = true},
    column{.key = "url"},
    column{.key = "kinds"},
    column{.key = "series"},
    column{.key = "old_secret_until"},
    column{.key = "secret"},
};

/// The receiver's URL, which a service with the same networks may call at this moment.
webhook_url read_url(webhook_options const& wants)
{
    auto const url = read_webhook_url(wants.url);
    if (url.has_error())
        throw usage_error("URL: " + url.error().detail);
    auto const networks = read_ip_networks(wants.networks);
    if (!networks)
        throw usage_error(fmt::format(
            "--webhook-networks: {} is no list of networks such as 10.0.0.0/8,fd00::/8",
            to_quoted(wants.networks)
        ));
    auto const addresses = url->address ? std::vector<ip_address>{} : find_addresses(url->host);
    if (auto const why = delivery_obstacle(*url, addresses, *networks); !why.empty())
        throw usage_error("URL: " + why);
    return *url;
}

void show_secret(session& session, secret_webhook const& webhook)
{
    auto shown = to_json(webhook.record);
    shown["secret"] = webhook.secret;
    auto const dry_run = session.options().dry_run;
    if (dry_run)
        shown["secret"] = nullptr;
    session.print(shown, secret_columns);
    session.say(
        dry_run ? "dry run: nothing was changed"
                : "this is the only time the secret is shown; the receiver checks signatures by it"
    );
}

exit_code create(session& session, webhook_options const& wants)
{
    webhook_draft draft;
    draft.url = read_url(wants).text;
    if (!wants.kinds.empty())
        draft.kinds = read_list("--kind", wants.kinds);
    if (!wants.series.empty())
        draft.series = read_list("--series", wants.series);
    if (auto const fault = cases::find_fault(draft))
        throw usage_error(
            fmt::format("{}: {}", fault->field == "kinds" ? "--kind" : "--series", fault->why)
        );
    auto created = session.act(cases::create_webhook{std::move(draft)});
    show_secret(session, created);
    return exit_code::ok;
}

exit_code list(session& session, webhook_options const&)
{
    auto rows = json::array();
    for (auto const& webhook : session.ask(cases::list_webhooks{}))
        rows.push_back(to_json(webhook));
    session.print_list(rows, webhook_columns);
    return exit_code::ok;
}

std::int32_t read_id(webhook_options const& wants)
{
    auto const number = read_integer(wants.id, 1, std::numeric_limits<std::int32_t>::max());
    if (number.has_error())
        throw usage_error(
            fmt::format("ID: {}; 'gapless webhook list' shows the ids", number.error().detail)
        );
    return static_cast<std::int32_t>(*number);
}

exit_code rotate(session& session, webhook_options const& wants)
{
    show_secret(session, session.act(cases::rotate_webhook{read_id(wants)}));
    return exit_code::ok;
}

exit_code retry(session& session, webhook_options const& wants)
{
    session.print(to_json(session.act(cases::retry_webhook{read_id(wants)})), webhook_columns);
    session.say(
        session.options().dry_run ? "dry run: nothing was changed"
                                  : "a running service delivers within seconds"
    );
    return exit_code::ok;
}

exit_code remove(session& session, webhook_options const& wants)
{
    auto const id = read_id(wants);
    if (session.asks())
    {
        auto const webhook = session.ask(cases::read_webhook{id});
        session.confirm(fmt::format(
            "Delete webhook {} of {}? {} notices that it has not delivered are given up.",
            id,
            to_quoted(webhook.url),
            webhook.pending
        ));
    }
    auto const deleted =
        value_of(session.change([&](pqxx::transaction_base& transaction) -> result<webhook_record> {
            auto found = cases::read_webhook{id}.run(transaction);
            if (found.has_error())
                return found;
            auto const done = cases::delete_webhook{id}.run(transaction, session.actor());
            if (done.has_error())
                return done.error();
            return found;
        }));
    session.print(to_json(deleted), webhook_columns);
    session.say(session.options().dry_run ? "dry run: nothing was changed" : "deleted");
    return exit_code::ok;
}

parameters new_parameters(webhook_options& into)
{
    return {
        {.name = "URL",
         .into = &into.url,
         .help = "Where notices are delivered to: https://…",
         .required = true},
        {.name = "--kind",
         .into = &into.kinds,
         .help = "For these kinds of notices only, with commas between",
         .value = "KINDS",
         .values_max = 1},
        {.name = "--series",
         .into = &into.series,
         .help = "For these series only, with commas between",
         .value = "SERIES",
         .values_max = 1},
        {.name = "--webhook-networks",
         .into = &into.networks,
         .help = "Networks in which gaplessd delivers to private addresses and by http; else "
                 "GAPLESS_WEBHOOK_NETWORKS",
         .value = "CIDRS",
         .environment = "GAPLESS_WEBHOOK_NETWORKS"},
    };
}

parameters id_parameter(webhook_options& into)
{
    return {{.name = "ID", .into = &into.id, .help = "Id of the webhook", .required = true}};
}

}  // namespace

noun webhook_commands()
{
    return {
        .name = "webhook",
        .summary = "Receivers that notices are delivered to",
        .verbs = {
            verb_of<webhook_options>{
                .name = "create",
                .summary = "Create a webhook; its secret is shown once",
                .takes = new_parameters,
                .run = create},
            verb_of<webhook_options>{.name = "list", .summary = "List the webhooks", .run = list},
            verb_of<webhook_options>{
                .name = "rotate",
                .summary = "Give a webhook another secret; the one before signs as well for 24 h",
                .takes = id_parameter,
                .run = rotate},
            verb_of<webhook_options>{
                .name = "retry",
                .summary = "Deliver now what waits, also if the webhook is dead",
                .takes = id_parameter,
                .run = retry},
            verb_of<webhook_options>{
                .name = "delete",
                .summary = "Delete a webhook with what it has not delivered",
                .takes = id_parameter,
                .run = remove},
        }};
}

}  // namespace gapless::cli
