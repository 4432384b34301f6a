#include "app/cli/command_line.hpp"
#include "store/environment.hpp"
#include "store/schema.hpp"

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct migrate_options
{
    std::string environment;
};

constexpr std::array migration_columns{
    column{.key = "version", .number = true},
    column{.key = "name"},
    column{.key = "applied_at"},
    column{.key = "state"},
};

constexpr std::array planned_columns{column{.key = "name"}};

/// Runs what talks to the database outside of run_serializable, with the failures these give.
template <class Work>
auto run_plainly(session& session, Work work)
{
    auto& connection = session.connection();
    try
    {
        interrupts::watched const watched{session.signals(), connection};
        return work(connection);
    }
    catch (schema_in_use const& error)
    {
        throw command_failed{exit_code::conflict, error.what()};
    }
    catch (pqxx::insufficient_privilege const& error)
    {
        throw command_failed{
            exit_code::not_allowed,
            fmt::format(
                "{}\n  connect as the owner of the database, a role that may create roles",
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
        session.signals().stop_if_arrived();
        throw;
    }
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

/// What `up` would apply.
json to_plan(schema_state const& state)
{
    auto plan = json::array();
    for (auto const& row : to_rows(state))
        if (row["state"] == "pending")
            plan.push_back({{"name", row["name"]}});
    return plan;
}

void say_where_it_stands(session const& session, schema_state const& state)
{
    if (state.newest_in_database > newest_migration())
        session.say(fmt::format(
            "the database is at migration {}, this program knows {}: use the newer gapless",
            state.newest_in_database,
            newest_migration()
        ));
    else if (state.current())
        session.say("nothing to do: the database has the schema of this program");
    else
        session.say("to apply what is pending: gapless migrate up");
}

exit_code status(session& session, migrate_options const&)
{
    auto const state = run_plainly(session, read_schema_state);
    session.print_list(to_rows(state), migration_columns);
    say_where_it_stands(session, state);
    return exit_code::ok;
}

void print_names(session const& session, json const& rows, std::string_view verb)
{
    if (session.options().output != output_format::table)
        return session.print_list(rows, planned_columns);
    std::string text;
    for (auto const& row : rows)
        text += fmt::format("{} {}\n", verb, row["name"].get<std::string>());
    session.print_text(text);
}

exit_code plan(session& session, migrate_options const&)
{
    auto const state = run_plainly(session, read_schema_state);
    print_names(session, to_plan(state), "would apply");
    say_where_it_stands(session, state);
    return exit_code::ok;
}

exit_code up(session& session, migrate_options const& wants)
{
    auto const present = wants.environment.empty() ? std::optional<std::string>{}
                                                   : run_plainly(session, read_environment);
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
    if (session.options().dry_run)
        return plan(session, wants);
    auto const before = run_plainly(session, read_schema_state);
    std::string told;
    auto const names = run_plainly(session, [&](pqxx::connection& connection) {
        return migrate(connection, [&](std::string const& blocker) {
            session.signals().stop_if_arrived();
            if (blocker != told)
                session.say("waiting until the tables are free: " + blocker);
            told = blocker;
        });
    });
    session.signals().changes_are_kept();

    if (!wants.environment.empty() && !present)
        value_of(session.change([&](pqxx::transaction_base& transaction) {
            set_environment(transaction, wants.environment, session.actor());
            return result<bool>{true};
        }));

    auto applied = json::array();
    for (auto const& name : names)
        applied.push_back({{"name", name}});
    if (before.functions_differ || !names.empty())
        applied.push_back({{"name", "functions"}});
    print_names(session, applied, "applied");
    if (applied.empty())
        session.say("nothing to do: the database has the schema of this program");
    return exit_code::ok;
}

}  // namespace

void add_migrate_commands(command_line& line)
{
    auto& noun = line.add_noun("migrate", "The database's schema");
    auto const nothing = [](CLI::App&, migrate_options&) {};
    line.add_verb<migrate_options>(
        noun,
        "up",
        "Bring the database to this program's schema",
        [](CLI::App& app, migrate_options& wants) {
            app.add_option(
                   "--environment",
                   wants.environment,
                   "What the database belongs to; another one's is left alone"
            )
                ->type_name("NAME");
        },
        up
    );
    line.add_verb<migrate_options>(noun, "status", "Show what is applied", nothing, status);
    line.add_verb<migrate_options>(noun, "plan", "Show what 'up' would apply", nothing, plan);
}

}  // namespace gapless::cli
