#include "base/log.hpp"
#include "service/database_numbering.hpp"
#include "store/health_store.hpp"
#include "store/schema.hpp"

#include <algorithm>

/// What the service says of the database it stands on: readiness, and settings of the server that
/// an operator has to see to.
namespace gapless {

namespace asio = boost::asio;

namespace {

/// What the database itself says of readiness; the lane knows the rest.
readiness read_readiness(pqxx::transaction_base& transaction, int connections)
{
    auto const row = transaction.exec1("select * from gapless.health()");
    readiness state;
    state.database = true;
    state.schema = row["migration"].as<int>() == newest_migration() &&
                   row["functions"].as<std::string>() == functions_checksum();
    state.primary = !row["in_recovery"].as<bool>();
    state.epoch = row["epoch"].as<std::int32_t>();
    state.fenced = row["fenced"].as<bool>();
    if (state.schema)
        state.warnings = not_fine(read_health_checks(transaction, connections));
    return state;
}

/// Why no number leaves, in the order in which an operator would go about it; empty: they do.
std::string detail_of(readiness const& state, std::string const& obstacle, std::string const& lane)
{
    if (!state.schema)
        return "the database has another version's schema; run: gapless migrate up";
    if (!state.primary)
        return "the server is a standby; numbers are issued on the primary only";
    if (state.fenced)
        return "fenced, no number leaves: " + lane + "; see: gapless epoch show";
    if (!state.safe)
        return obstacle;
    if (!state.lane)
        return "the issuing connection does not stand: " + lane;
    return {};
}

health_check const* find_check(std::vector<health_check> const& checks, std::string const& name)
{
    auto const found = std::ranges::find(checks, name, &health_check::name);
    return found == checks.end() ? nullptr : &*found;
}

/// One event for each check that is not fine and was before, and for each that is fine again.
void log_changes(std::vector<health_check> const& before, std::vector<health_check> const& now)
{
    for (auto const& check : now)
    {
        auto const* known = find_check(before, check.name);
        if (check.fine == (known == nullptr || known->fine))
            continue;
        auto const level = check.fine || check.severity == health_severity::info
                               ? log_level::info
                               : log_level::warning;
        log_event(
            level,
            check.fine ? "database_warning_over" : "database_warning",
            {{"check", check.name},
             {"severity", name_of(check.severity)},
             {"value", check.value},
             {"advice", check.advice}}
        );
    }
}

}  // namespace

asio::awaitable<readiness> database_numbering::check_readiness()
{
    auto look = [connections = connections_](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_readiness(transaction, connections);
        });
    };
    auto const found = co_await threads_.run(std::move(look));
    readiness state;
    state.accept_risk = accept_risk_;
    if (found.has_error())
    {
        state.detail = found.error().detail;
        // A database that answers, but is none for us, is told apart by what was said of it.
        state.database = state.detail.find("schema of gapless") != std::string::npos ||
                         state.detail.find("the environment '") != std::string::npos;
        state.primary = state.database;
        co_return state;
    }
    state = *found;
    state.accept_risk = accept_risk_;
    auto const obstacle = obstacle_in(state.warnings, accept_risk_);
    state.safe = obstacle.empty();
    state.lane = queue_.connected();
    state.fenced = queue_.fenced() || state.fenced;
    state.detail = detail_of(state, obstacle, queue_.trouble());
    co_return state;
}

/// Looks at the server's settings, warns once of each that is not fine, and stops issuing where one
/// was changed behind our back that loses numbers. Without a database what was seen last stays.
asio::awaitable<void> database_numbering::look_at_health()
{
    auto look = [connections = connections_](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_health_checks(transaction, connections);
        });
    };
    auto const found = co_await threads_.run(std::move(look));
    if (found.has_error())
        co_return;
    log_changes(checks_, *found);
    checks_ = *found;
    if (auto const obstacle = obstacle_in(checks_, accept_risk_); !obstacle.empty())
        queue_.reconnect(obstacle);
}

}  // namespace gapless
