#include "app/cli/command_line.hpp"
#include "store/environment.hpp"
#include "store/health_store.hpp"

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct database_options
{
    std::string environment;
};

constexpr std::array check_columns{
    column{.key = "check"},
    column{.key = "state"},
    column{.key = "value"},
    column{.key = "advice"},
};

constexpr std::array environment_columns{column{.key = "environment"}};

exit_code check(session& session, database_options const&)
{
    auto const checks = value_of(session.read([](pqxx::transaction_base& transaction) {
        return read_health_checks(transaction, 0);
    }));
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
    session.print_list(rows, check_columns);
    if (found > 0)
        session.say(fmt::format("{} settings or states of the server need a look", found));
    return found == 0 ? exit_code::ok : exit_code::findings;
}

exit_code environment(session& session, database_options const& wants)
{
    auto const present = read_environment(session.connection());
    if (wants.environment.empty())
    {
        session.print({{"environment", present ? json{*present} : json{}}}, environment_columns);
        return exit_code::ok;
    }
    if (present && *present != wants.environment)
        session.confirm(fmt::format(
            "The database belongs to '{}'. Call it '{}'? Services set to '{}' will leave it alone.",
            *present,
            wants.environment,
            *present
        ));
    value_of(session.change([&](pqxx::transaction_base& transaction) {
        set_environment(transaction, wants.environment, session.actor());
        return result<bool>{true};
    }));
    session.say(fmt::format("the database belongs to the environment '{}'", wants.environment));
    return exit_code::ok;
}

}  // namespace

void add_database_commands(command_line& line)
{
    auto& noun = line.add_noun("database", "The server below");
    auto const declare = [](CLI::App& app, database_options&) {
        app.footer("Ends with exit code 6 when something is not as it should be.");
    };
    line.add_verb<database_options>(
        noun, "check", "Look at the settings that numbers depend on", declare, check
    );
    auto const declare_environment = [](CLI::App& app, database_options& wants) {
        app.add_option("NAME", wants.environment, "One word, 'production' for example");
        app.footer("A service with --environment uses a database of that name only.");
    };
    line.add_verb<database_options>(
        noun,
        "environment",
        "Show or name the environment the database belongs to",
        declare_environment,
        environment
    );
}

}  // namespace gapless::cli
