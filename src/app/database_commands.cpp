#include "app/commands.hpp"
#include "base/moment.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "postgres/clock_store.hpp"
#include "postgres/environment.hpp"
#include "postgres/health_store.hpp"
#include "postgres/query.hpp"
#include "webhooks/operations.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>
#include <optional>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct database_options
{
    std::optional<std::string> environment;
    std::optional<std::string> time_zone;
    std::string first_id;
};

constexpr std::array check_columns{
    column{.key = "check"},
    column{.key = "state"},
    column{.key = "value"},
    column{.key = "advice"},
};

constexpr std::array environment_columns{column{.key = "environment"}};
constexpr std::array series_ids_columns{column{.key = "series_ids"}};
constexpr std::array time_zone_columns{column{.key = "time_zone"}};

exit_code check(command_context& context, database_options const&)
{
    auto checks = value_of(context.read([](pqxx::transaction_base& transaction) {
        return read_health_checks(transaction, 0);
    }));
    checks.push_back(check_sslmode(context.options().database_url));
    auto rows = json::array();
    std::size_t found = 0;
    for (auto const& one : checks)
    {
        found += !one.fine && one.severity != health_severity::info ? 1 : 0;
        rows.push_back({
            {"check", one.name},
            {"state", one.fine ? "ok" : name_of(one.severity)},
            {"value", one.value},
            {"advice", one.fine ? json{} : json{one.advice}},
        });
    }
    context.print_list(rows, check_columns);
    if (found > 0)
        context.say(fmt::format("{} settings or states of the server need a look", found));
    return found == 0 ? exit_code::ok : exit_code::findings;
}

/// Webhooks created in another environment deliver nothing until somebody adopts them: a copy for
/// tests must not call the receivers of the original.
void tell_webhooks_of_others(command_context& context, std::string const& environment)
{
    auto const all = value_of(context.read([](pqxx::transaction_base& transaction) {
        return webhooks::read_all(transaction);
    }));
    for (auto const& webhook : all)
        if (webhook.environment != environment)
            context.say(fmt::format(
                "webhook {} was made in another environment and delivers nothing now; to adopt it: "
                "gapless webhook retry {}",
                webhook.id.value,
                webhook.id.value
            ));
}

/// A script whose variable is unset must not take the present value for its own.
void refuse_empty(std::optional<std::string> const& given, std::string_view name)
{
    if (given && given->empty())
        throw usage_error(fmt::format("{} is empty; leave it out to show the present one", name));
}

exit_code environment(command_context& context, database_options const& wants)
{
    auto const present = value_of(context.read([](pqxx::transaction_base& transaction) {
        return read_environment(transaction);
    }));
    refuse_empty(wants.environment, "NAME");
    if (!wants.environment)
    {
        context.print({{"environment", present ? json{*present} : json{}}}, environment_columns);
        return exit_code::ok;
    }
    if (present && *present != *wants.environment)
        context.confirm(fmt::format(
            "The database belongs to '{}'. Call it '{}'? Services set to '{}' will not use it.",
            *present,
            *wants.environment,
            *present
        ));
    value_of(context.change([&](pqxx::transaction_base& transaction) {
        set_environment(transaction, *wants.environment, context.actor());
        return result<bool>{true};
    }));
    context.say(
        context.options().dry_run
            ? "dry run: nothing was changed"
            : fmt::format("the database belongs to the environment '{}'", *wants.environment)
    );
    tell_webhooks_of_others(context, *wants.environment);
    return exit_code::ok;
}

exit_code series_ids(command_context& context, database_options const& wants)
{
    auto const first = [](pqxx::transaction_base& transaction) {
        return query_value<std::int64_t>(transaction, "select gapless.series_ids()");
    };
    if (wants.first_id.empty())
    {
        context.print({{"series_ids", value_of(context.read(first))}}, series_ids_columns);
        return exit_code::ok;
    }
    auto const wanted = value_of(read_integer(wants.first_id, 1, 99'999'999));
    context.confirm(fmt::format(
        "Let the ids of this database's series begin at {}? This is chosen once, and no other of "
        "your databases may have the same.",
        wanted
    ));
    value_of(context.change([&](pqxx::transaction_base& transaction) -> result<std::int64_t> {
        execute(transaction, "select gapless.series_ids_set($1, $2)", wanted, context.actor());
        return first(transaction);
    }));
    context.say(
        context.options().dry_run ? "dry run: nothing was changed"
                                  : fmt::format("ids of series begin at {}", wanted)
    );
    return exit_code::ok;
}

exit_code time_zone(command_context& context, database_options const& wants)
{
    auto const present = value_of(context.read([](pqxx::transaction_base& transaction) {
        return read_time_zone(transaction);
    }));
    refuse_empty(wants.time_zone, "ZONE");
    if (!wants.time_zone)
    {
        context.print({{"time_zone", present}}, time_zone_columns);
        return exit_code::ok;
    }
    if (*wants.time_zone != present)
        context.confirm(fmt::format(
            "Days begin as in the time zone {}. Let them begin as in {}? What is stored stays as "
            "it "
            "is, closed days too.",
            present,
            *wants.time_zone
        ));
    auto const zone = value_of(
        context.change_locked([&](pqxx::transaction_base& transaction) -> result<std::string> {
            set_time_zone(transaction, *wants.time_zone, context.actor());
            return read_time_zone(transaction);
        })
    );
    context.print({{"time_zone", zone}}, time_zone_columns);
    context.say(
        context.options().dry_run ? "dry run: nothing was changed"
                                  : fmt::format("days begin as in the time zone {}", zone)
    );
    return exit_code::ok;
}

exit_code accept(command_context& context, database_options const&)
{
    context.confirm("Is the clock of the database right? Holds and blocks that are over by it end "
                    "at once.");
    auto const now =
        value_of(context.change([&](pqxx::transaction_base& transaction) -> result<database_time> {
            return accept_clock(transaction, context.actor());
        }));
    context.say(fmt::format(
        "{}the clock of the database is right: {}",
        context.options().dry_run ? "dry run, nothing was changed: " : "",
        to_rfc3339(now)
    ));
    return exit_code::ok;
}

parameters environment_parameter(database_options& into)
{
    return {
        {.name = "NAME", .into = &into.environment, .help = "One word, 'production' for example"}};
}

parameters series_ids_parameter(database_options& into)
{
    return {
        {.name = "FIRST",
         .into = &into.first_id,
         .help = "10000000, 20000000 ... or 90000000: the ids are the ten million from there"}};
}

parameters time_zone_parameter(database_options& into)
{
    return {
        {.name = "ZONE",
         .into = &into.time_zone,
         .help = "A name of the IANA database: Europe/Berlin"}};
}

}  // namespace

noun database_commands()
{
    return {
        .name = "database",
        .summary = "The server below",
        .verbs = {
            verb_of<database_options>{
                .name = "check",
                .summary = "Look at the settings that numbers depend on",
                .footer = "Ends with exit code 6 when something is not as it should be.",
                .run = check},
            verb_of<database_options>{
                .name = "environment",
                .summary = "Show or name the environment the database belongs to",
                .footer = "A service with --environment uses a database of that name only.",
                .takes = environment_parameter,
                .run = environment},
            verb_of<database_options>{
                .name = "series-ids",
                .summary = "Show or choose where the ids of this database's series begin",
                .footer = "For one of several databases behind one address. Chosen once, before "
                          "there is a series.",
                .takes = series_ids_parameter,
                .run = series_ids},
            verb_of<database_options>{
                .name = "time-zone",
                .summary = "Show or set the time zone whose days count",
                .footer =
                    "All days, and moments without a zone, are of this zone: validities, --from "
                    "and --to, manifests,\nquotas, forecasts. Default: UTC. A change moves "
                    "nothing that is stored, and no closed day.",
                .takes = time_zone_parameter,
                .run = time_zone},
            verb_of<database_options>{
                .name = "accept-clock",
                .summary = "Believe the server's clock although it went further than time did",
                .footer =
                    "Until then no hold, block or old record ends. See: gapless database check",
                .run = accept},
        }};
}

}  // namespace gapless::cli
