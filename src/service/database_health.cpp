#include "base/log.hpp"
#include "service/database_numbering.hpp"
#include "store/health_store.hpp"
#include "store/schema.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

/// What the service says of the database it stands on: readiness, and settings of the server that
/// an operator has to see to.
namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr auto as_outcome = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds health_interval{1};  // from the end of a look to the next one

/// A look that fails after so long met silence; one that is refused fails at once. libpq may end
/// connecting up to a second before its connect_timeout.
constexpr std::chrono::milliseconds silence_min{1'900};

/// What the database itself says; the lane knows the rest.
struct health_report
{
    readiness state;
    std::vector<health_check> checks;  // fine or not; none with another version's schema
};

health_report read_report(pqxx::transaction_base& transaction, int connections)
{
    auto const row = transaction.exec1("select * from gapless.health()");
    health_report report;
    auto& state = report.state;
    state.database = true;
    state.schema = row["migration"].as<int>() == newest_migration() &&
                   row["functions"].as<std::string>() == functions_checksum();
    state.primary = !row["in_recovery"].as<bool>();
    state.epoch = row["epoch"].as<std::int32_t>();
    state.fenced = row["fenced"].as<bool>();
    if (state.schema)
        report.checks = read_health_checks(transaction, connections);
    state.warnings = not_fine(report.checks);
    return report;
}

/// The database could not be looked at, and said why or refused to talk.
readiness unreachable(std::string why)
{
    readiness state;
    // A database that answers, but is none for us, is told apart by what was said of it.
    state.database = why.find("schema of gapless") != std::string::npos ||
                     why.find("the environment '") != std::string::npos;
    state.primary = state.database;
    state.detail = std::move(why);
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

readiness database_numbering::known_readiness() const
{
    auto state = seen_;
    state.accept_risk = accept_risk_;
    auto const age = std::chrono::steady_clock::now() - seen_at_;
    state.stale = !looked_ || age > readiness_age_max;
    if (state.database && state.detail.empty())
    {
        auto const obstacle = obstacle_in(state.warnings, accept_risk_);
        state.safe = obstacle.empty();
        state.lane = queue_.connected();
        state.fenced = queue_.fenced() || state.fenced;
        state.detail = detail_of(state, obstacle, queue_.trouble());
    }
    if (!looked_)
        state.detail = "stale: the database has not answered since the start";
    else if (state.stale)
        state.detail =
            "stale: the database has not answered for " +
            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(age).count()) + " s";
    return state;
}

asio::awaitable<void> database_numbering::watch_health()
{
    while (!stopped_)
    {
        try
        {
            co_await look_at_health();
        }
        catch (std::exception const& error)
        {
            log_event(log_level::error, "health_look_failed", {{"what", error.what()}});
        }
        health_timer_.expires_after(health_interval);
        co_await health_timer_.async_wait(as_outcome);
    }
}

/// Looks at the database and its server's settings, warns once of each that is not fine, and stops
/// issuing where one was changed behind our back that loses numbers.
asio::awaitable<void> database_numbering::look_at_health()
{
    auto const begun = std::chrono::steady_clock::now();
    auto look = [connections = connections_](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_report(transaction, connections);
        });
    };
    auto const found = co_await health_thread_.run(std::move(look));
    auto const now = std::chrono::steady_clock::now();
    // Silence tells nothing new, nor does a thread that still waits for the last look: what was
    // seen before grows stale.
    if (found.has_error() &&
        (now - begun >= silence_min || found.error().kind == refusal_kind::overloaded))
        co_return;
    seen_ = found.has_error() ? unreachable(found.error().detail) : found->state;
    seen_at_ = now;
    looked_ = true;
    // Without a database what was seen of its settings stays.
    if (found.has_error() || !found->state.schema)
        co_return;
    log_changes(checks_, found->checks);
    checks_ = found->checks;
    if (auto const obstacle = obstacle_in(checks_, accept_risk_);
        !obstacle.empty() && queue_.connected())
        queue_.reconnect(obstacle);
}

}  // namespace gapless
