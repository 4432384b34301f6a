#include "app/commands.hpp"
#include "base/text.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "postgres/environment.hpp"
#include "postgres/health_store.hpp"
#include "postgres/schema.hpp"
#include "postgres/schema_differences.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/connection>
#include <pqxx/except>
#include <pqxx/nontransaction>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gapless::cli {

namespace {

/// Runs `work`, which takes a connection and uses the database outside run_serializable, whatever
/// the schema; returns its result. Blocks. Throws command_failed if it fails, or is interrupted.
template <class Work>
auto run_plainly(command_context& context, Work work)
{
    auto& connection = context.any_connection();
    try
    {
        interrupts::watched const watched{context.signals(), connection};
        return work(connection);
    }
    catch (schema_in_use const& error)
    {
        throw command_failed{exit_code::conflict, error.what()};
    }
    catch (migrator_refused const& error)
    {
        throw command_failed{exit_code::not_allowed, error.what()};
    }
    catch (pqxx::insufficient_privilege const& error)
    {
        throw command_failed{
            exit_code::not_allowed,
            fmt::format(
                "{}\n  connect as the owner of the database; for 'migrate check --compatible' any "
                "role of gapless will do",
                error.what()
            )};
    }
    catch (pqxx::broken_connection const&)
    {
        throw command_failed{
            exit_code::unreachable,
            "the connection to the database was lost\n  'gapless migrate status' shows where it "
            "stands"};
    }
    catch (pqxx::failure const&)
    {
        context.signals().stop_if_arrived();
        throw;
    }
}

using json = nlohmann::ordered_json;

struct migrate_options
{
    std::string environment;
    bool compatible{};
};

constexpr std::array migration_columns{
    column{.key = "version", .number = true},
    column{.key = "name"},
    column{.key = "applied_at"},
    column{.key = "state"},
};

constexpr std::array planned_columns{column{.key = "name"}};

constexpr std::array difference_columns{
    column{.key = "kind"},
    column{.key = "what"},
    column{.key = "mend"},
};

std::optional<std::string> environment_of(pqxx::connection& connection)
{
    pqxx::nontransaction plain{connection};
    return read_environment(plain);
}

/// The migrations, then the functions, as rows.
json to_rows(schema_state const& state)
{
    auto rows = json::array();
    for (auto const& migration : state.migrations)
        rows.push_back({
            {"version", std::to_string(migration.version)},
            {"name", migration.name},
            {"applied_at", migration.applied_at ? json(*migration.applied_at) : json()},
            {"state",
             migration.differs      ? "differs"
             : migration.applied_at ? "applied"
                                    : "pending"},
        });
    rows.push_back({
        {"version", nullptr},
        {"name", "functions"},
        {"applied_at", nullptr},
        {"state", state.functions_differ ? "pending" : "applied"},
    });
    return rows;
}

/// The differences from what this program's migrations created.
json to_differences(schema_state const& state)
{
    auto rows = json::array();
    for (auto const& row : to_rows(state))
        if (row["state"] != "applied")
            rows.push_back({
                {"kind", row["version"].is_null() ? "function" : "migration"},
                {"what",
                 row["version"].is_null()
                     ? "the functions are another version's"
                     : fmt::format(
                           "the migration {} {}",
                           row["name"].get<std::string>(),
                           row["state"] == "differs" ? "was applied with another text"
                                                     : "is not applied"
                       )},
                {"mend", nullptr},
            });
    for (auto const& difference : state.differences)
        rows.push_back({
            {"kind", difference.kind},
            {"what", difference.what},
            {"mend",
             difference.mend.empty() ? json()
                                     : json(fmt::format("{};", fmt::join(difference.mend, "; ")))},
        });
    return rows;
}

/// What `up` would apply.
json to_plan(schema_state const& state)
{
    auto plan = json::array();
    for (auto const& row : to_rows(state))
        if (row["state"] == "pending")
            plan.push_back({{"name", row["name"]}});
    return plan;
}

/// An empty database has nothing to repair.
void say_mended(command_context const& context, schema_state const& state, std::string_view verb)
{
    if (state.newest_in_database > 0)
        for (auto const& difference : state.differences)
            if (difference.mendable())
                context.say(fmt::format("{}: {}", verb, difference.what));
}

/// Tells which objects a migration leaves alone.
void say_what_is_foreign(command_context const& context, schema_state const& state)
{
    for (auto const& difference : state.differences)
        if (!difference.mendable())
            context.say(difference.what);
}

/// Warns if the owner's rights keep the database from noticing that it was copied.
void say_if_clones_hide(command_context& context)
{
    auto const checks = run_plainly(context, [](pqxx::connection& connection) {
        pqxx::nontransaction plain{connection};
        return read_health_checks(plain, 0);
    });
    auto const found = std::ranges::find(checks, "clone_detection", &health_check::name);
    if (found != checks.end() && !found->fine)
        context.say(found->advice);
}

void say_where_it_stands(command_context const& context, schema_state const& state)
{
    if (state.newest_in_database > newest_migration())
        context.say(fmt::format(
            "the database is at migration {}, this program knows {}: use the newer gapless",
            state.newest_in_database,
            newest_migration()
        ));
    else if (state.current())
        context.say("nothing to do: the database has the schema of this program");
    else
        context.say("to apply what is pending and mend what differs: gapless migrate up");
    say_what_is_foreign(context, state);
}

exit_code status(command_context& context, migrate_options const&)
{
    auto const state = run_plainly(context, read_schema_state);
    context.print_list(to_rows(state), migration_columns);
    say_where_it_stands(context, state);
    return exit_code::ok;
}

void print_names(command_context const& context, json const& rows, std::string_view verb)
{
    if (context.options().output != output_format::table)
        return context.print_list(rows, planned_columns);
    std::string text;
    for (auto const& row : rows)
        text += fmt::format("{} {}\n", verb, row["name"].get<std::string>());
    context.print_part(text);
}

exit_code plan(command_context& context, migrate_options const&)
{
    auto const state = run_plainly(context, read_schema_state);
    ensure_applicable(state);
    print_names(context, to_plan(state), "would apply");
    say_mended(context, state, "would mend");
    say_where_it_stands(context, state);
    run_plainly(context, [&](pqxx::connection& connection) {
        pqxx::nontransaction plain{connection};
        ensure_roles_can_be_made(plain, state.differences);
        return true;
    });
    return exit_code::ok;
}

/// Checked by gapless.environment_set, too, which an empty database does not have yet.
void check_environment(std::string const& name)
{
    auto const fits = [](char c) { return is_digit(c) || is_letter(c); };
    if (name.size() > 63 || !fits(name.front()) || !std::ranges::all_of(name, [&](char c) {
            return fits(c) || c == '.' || c == '_' || c == '-';
        }))
        throw usage_error(fmt::format(
            "--environment: {} is not one word of up to 63 letters, digits, '.', '_' and '-'",
            to_quoted(name)
        ));
}

exit_code up(command_context& context, migrate_options const& wants)
{
    if (!wants.environment.empty())
        check_environment(wants.environment);
    auto const present = wants.environment.empty() ? std::optional<std::string>{}
                                                   : run_plainly(context, environment_of);
    if (present && *present != wants.environment)
        throw command_failed{
            exit_code::conflict,
            fmt::format(
                "the database belongs to the environment '{}', not '{}'\n  nothing was changed; to "
                "rename it: gapless database environment {}",
                *present,
                wants.environment,
                wants.environment
            )};
    if (context.options().dry_run)
        return plan(context, wants);
    auto const before = run_plainly(context, read_schema_state);
    std::string told;
    auto const names = run_plainly(context, [&](pqxx::connection& connection) {
        auto const tell = [&](std::string const& waiting) {
            context.signals().stop_if_arrived();
            if (waiting != told)
                context.say(waiting);
            told = waiting;
        };
        return migrate(connection, tell, [&] { context.signals().changes_are_kept(); });
    });

    if (!wants.environment.empty() && !present)
        value_of(context.change([&](pqxx::transaction_base& transaction) {
            set_environment(transaction, wants.environment, context.actor());
            return result<bool>{true};
        }));

    auto applied = json::array();
    for (auto const& name : names)
        applied.push_back({{"name", name}});
    print_names(context, applied, "applied");
    say_mended(context, before, "mended");
    if (applied.empty() && before.current())
        context.say("nothing to do: the database has the schema of this program");
    say_what_is_foreign(context, before);
    say_if_clones_hide(context);
    return exit_code::ok;
}

/// Checks only what decides whether a gaplessd of this version may be started on this database.
exit_code check_compatible(command_context& context)
{
    auto const obstacle = run_plainly(context, [](pqxx::connection& connection) {
        pqxx::nontransaction plain{connection};
        return interface_obstacle(read_interfaces(plain));
    });
    auto rows = json::array();
    if (!obstacle.empty())
        rows.push_back({{"kind", "interface"}, {"what", obstacle}, {"mend", nullptr}});
    context.print_list(rows, difference_columns);
    if (!obstacle.empty())
        return exit_code::findings;
    context.say("the schema of the database serves this program");
    return exit_code::ok;
}

exit_code check(command_context& context, migrate_options const& wants)
{
    if (wants.compatible)
        return check_compatible(context);
    auto const state = run_plainly(context, read_schema_state);
    auto const rows = to_differences(state);
    context.print_list(rows, difference_columns);
    if (rows.empty())
    {
        context.say("the database is as the migrations of this program made it");
        return exit_code::ok;
    }
    say_where_it_stands(context, state);
    return exit_code::findings;
}

parameters up_parameters(migrate_options& into)
{
    return {
        {.name = "--environment",
         .into = &into.environment,
         .help = "What the database belongs to; refused if it belongs to another",
         .value = "NAME"}};
}

parameters check_parameters(migrate_options& into)
{
    return {
        {.name = "--compatible",
         .into = &into.compatible,
         .help = "Whether the schema serves programs of this version; any role may ask"}};
}

}  // namespace

noun migrate_commands()
{
    return {
        .name = "migrate",
        .summary = "The database's schema",
        .verbs = {
            verb_of<migrate_options>{
                .name = "up",
                .summary = "Bring the database to this program's schema",
                .takes = up_parameters,
                .run = up},
            verb_of<migrate_options>{
                .name = "status", .summary = "Show what is applied", .run = status},
            verb_of<migrate_options>{
                .name = "plan", .summary = "Show what 'up' would apply", .run = plan},
            verb_of<migrate_options>{
                .name = "check",
                .summary = "Show what differs from the migrations",
                .footer = "Roles, privileges, functions, triggers, constraints and indexes. "
                          "Changes nothing; works on a standby. Ends with exit code 6 when "
                          "something differs; 'up' mends it.",
                .takes = check_parameters,
                .run = check},
        }};
}

}  // namespace gapless::cli
