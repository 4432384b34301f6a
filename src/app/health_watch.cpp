#include "app/health_watch.hpp"

#include "base/as_outcome.hpp"
#include "base/log.hpp"
#include "base/repeated_log.hpp"
#include "postgres/connection.hpp"
#include "postgres/health_store.hpp"
#include "postgres/interface.hpp"
#include "postgres/query.hpp"
#include "postgres/schema.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds health_interval{1};  // from the end of a look to the next one
/// The operator's checks run less often than the look whether the database answers, and the more
/// instances share the database, the less often in each: one a second in all, up to 50 instances.
constexpr std::chrono::seconds checks_interval{5};
constexpr std::chrono::seconds checks_interval_max{60};
constexpr int sessions_a_second = 5;                  // an instance has five or six
constexpr std::chrono::seconds readiness_age_max{5};  // anything older counts as stale

/// While the issue connections are silent, the last result is trusted no longer than this.
constexpr std::chrono::seconds silent_age_max{2};

/// For one look; several, with the pauses between them, fit into readiness_age_max.
constexpr std::chrono::milliseconds health_look_time_max{3'000};

/// How often a new session is tried: a server can continue its existing sessions and fail every new
/// one, for example after its programs were upgraded without a restart.
constexpr std::chrono::seconds session_interval{60};

/// A look that fails after this time met silence; a refused one fails at once. libpq may stop
/// connecting up to a second before its connect_timeout.
constexpr std::chrono::milliseconds silence_min{1'900};

/// What the database itself reports; the issue connections know the rest.
struct health_report
{
    readiness state;
    std::vector<health_check> checks;  // passed or not; empty if the schema does not serve us
    bool checked{};                    // false: the checks were not read
    std::string settings;              // that must not change: the checks run at once if they do
    int sessions{};                    // of all instances, where the checks were read
};

/// Whether the schema is the one of this program. Another one may serve it just as well, but an
/// upgrade should be completed.
health_check check_version(int migration, std::string const& functions)
{
    health_check found{.name = "schema_version", .severity = health_severity::warning};
    found.fine = migration == newest_migration() && functions == functions_checksum();
    found.value =
        "migration " + std::to_string(migration) + ", functions " + functions.substr(0, 8);
    found.advice = migration > newest_migration()
                       ? "the schema is newer than this program, which it serves: exchange the "
                         "program for the newer gapless"
                       : "the schema is another version's, which serves this program: when every "
                         "instance has been exchanged, gapless migrate up";
    return found;
}

/// Also reads the checks if they are due, the server's settings are no longer `known`, or a COMMIT
/// may be waiting for a standby.
result<health_report> read_report(
    pqxx::transaction_base& transaction,
    health_settings const& settings,
    bool due,
    std::string const& known
)
{
    auto const session = query_row(
        transaction,
        "select current_setting('gapless.session', true) as id, "
        "current_setting('synchronous_standby_names') <> '' as waits, concat_ws(' ', "
        "current_setting('fsync'), current_setting('full_page_writes'), "
        "current_setting('default_transaction_read_only')) as settings"
    );
    // The session was lent to us for this transaction; others set it up.
    if (session["id"].c_str() != std::to_string(transaction.conn().backendpid()))
        return unavailable(trouble_kind::pooled, std::string{pooled_sessions});
    health_report report;
    auto& state = report.state;
    state.database = true;
    state.primary = true;
    state.detail = service_obstacle(transaction, settings.environment);
    if (!state.detail.empty())
        return report;
    auto const row = query_row(
        transaction, "select migration, functions, in_recovery, epoch, fenced from gapless.health()"
    );
    state.schema = true;
    state.primary = !row["in_recovery"].as<bool>();
    state.epoch = row["epoch"].as<std::int32_t>();
    state.fenced = row["fenced"].as<bool>();
    report.settings = session["settings"].c_str();
    report.checked = due || report.settings != known || session["waits"].as<bool>();
    if (!report.checked)
        return report;
    report.sessions = query_value<int>(
        transaction,
        "select count(*) from pg_stat_activity a "
        "where a.datname = current_database() and a.application_name = 'gaplessd'"
    );
    report.checks = read_health_checks(transaction, settings.connections);
    report.checks.push_back(
        check_version(row["migration"].as<int>(), row["functions"].as<std::string>())
    );
    report.checks.push_back(check_sslmode(settings.database_url));
    return report;
}

/// The readiness if the database gave an error or could not be reached.
readiness unreachable(refusal const& why)
{
    readiness state;
    state.pooled = why.trouble == trouble_kind::pooled;
    // A pooler answers for a working database.
    state.database = state.primary = state.pooled;
    state.detail = why.detail;
    return state;
}

/// Why no number is issued, in the order in which an operator would check; empty: issuing works.
std::string detail_of(readiness const& state, std::string const& obstacle, std::string const& lane)
{
    if (!state.primary)
        return "the server is a standby; numbers are issued on the primary only";
    if (state.fenced)
        return "fenced, no number is issued: " + lane + "; see: gapless epoch show";
    if (!state.safe)
        return obstacle;
    if (!state.lane)
        return "there is no issue connection: " + lane;
    return {};
}

health_check const* find_check(std::vector<health_check> const& checks, std::string const& name)
{
    auto const found = std::ranges::find(checks, name, &health_check::name);
    return found == checks.end() ? nullptr : &*found;
}

/// Logs each check that fails and passed before, and each that passes again.
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

/// The reason of a failure is for the log only: /readyz is public.
health_check check_new_sessions(bool fail)
{
    return {
        .name = "new_sessions",
        .severity = health_severity::warning,
        .fine = !fail,
        .value = fail ? "fail" : "open",
        .advice =
            "old sessions go on and new sessions fail, the event new_session_failed says why: "
            "restart PostgreSQL, if its packages were upgraded; if the password was changed, write "
            "it where the service reads it"};
}

/// One look at a time, and none so long that the previous result becomes stale.
thread_limits limits_of_look()
{
    thread_limits limits;
    limits.threads = 1;
    limits.waiting_max = 1;
    limits.read_time_max = health_look_time_max;
    return limits;
}

}  // namespace

health_watch::health_watch(
    asio::io_context& io, database_threads& others, issue_queue& queue, health_settings settings
)
    : io_{io},
      thread_{io, settings.database_url, {}, limits_of_look()},
      fresh_{io, settings.database_url, {}, limits_of_look()},
      others_{others},
      queue_{queue},
      settings_{std::move(settings)},
      timer_{io}
{
}

void health_watch::start()
{
    asio::co_spawn(io_, watch(), asio::detached);
}

void health_watch::stop()
{
    stopped_ = true;
    timer_.cancel();
    thread_.stop();
    fresh_.stop();
}

readiness health_watch::known() const
{
    auto state = seen_;
    state.accept_risk = settings_.accept_risk;
    auto const age = std::chrono::steady_clock::now() - seen_at_;
    auto const silent = queue_.silent() && !queue_.standby_waits();
    state.stale = !looked_ || age > readiness_age_max || (age > silent_age_max && silent);
    if (state.stale)
        state.database = false;
    if (state.database && state.detail.empty())
    {
        auto const obstacle = obstacle_in(state.warnings, settings_.accept_risk);
        state.safe = obstacle.empty();
        state.lane = queue_.connected() && !queue_.standby_waits();
        state.fenced = queue_.fenced() || state.fenced;
        state.detail = queue_.standby_waits() && !state.fenced
                           ? "the database waits for the standby: the COMMIT of " + waiting_commit_
                           : detail_of(state, obstacle, queue_.trouble());
    }
    if (state.ready() && sessions_fail_)
        state.detail = "new sessions fail: the event new_session_failed in the log says why";
    if (state.ready() && queue_.refusing())
        state.detail = "every request for numbers is refused: the event issuing_refused in the log "
                       "says why";
    if (!looked_)
        state.detail = "stale: the database has not answered since the start";
    else if (state.stale)
        state.detail =
            "stale: the database has not answered for " +
            std::to_string(std::chrono::duration_cast<std::chrono::seconds>(age).count()) + " s";
    return state;
}

asio::awaitable<void> health_watch::watch()
{
    while (!stopped_)
    {
        try
        {
            co_await look();
        }
        catch (std::exception const& error)
        {
            log_failure("health_look_failed", error.what());
        }
        timer_.expires_after(health_interval);
        co_await timer_.async_wait(as_outcome);
    }
}

asio::awaitable<void> health_watch::look()
{
    auto const begun = std::chrono::steady_clock::now();
    auto const pause = std::clamp<std::chrono::seconds>(
        std::chrono::seconds{sessions_ / sessions_a_second}, checks_interval, checks_interval_max
    );
    auto read = [settings = settings_,
                 due = begun - checked_at_ >= pause,
                 known = server_settings_](pqxx::connection& connection) {
        return run_read(connection, [&](auto& transaction) {
            return read_report(transaction, settings, due, known);
        });
    };
    auto found = co_await thread_.run(std::move(read));
    auto const now = std::chrono::steady_clock::now();
    // Silence tells nothing new, nor does a thread that is still busy with the last look: the
    // previous result ages.
    if (found.has_error() &&
        (now - begun >= silence_min || found.error().kind == refusal_kind::overloaded))
    {
        note_standby({});
        co_return;
    }
    if (found.has_value() && found->state.schema)
    {
        try_sessions_now_and_then();
        if (found->checked)
        {
            told_ = found->checks;
            checked_at_ = begun;
            server_settings_ = found->settings;
            sessions_ = found->sessions;
        }
        found->checks = told_;
        found->checks.push_back(check_new_sessions(sessions_fail_));
        found->state.warnings = not_fine(found->checks);
    }
    if (found.has_error() && only_new_sessions_fail(found.error()))
    {
        note_standby({});
        log_failure("new_session_failed", found.error().detail);
        note_failing_sessions(now);
        co_return;
    }
    auto const was_pooled = seen_.pooled;
    seen_ = found.has_error() ? unreachable(found.error()) : found->state;
    if (seen_.pooled && !was_pooled)
        log_event(log_level::error, "database_pooled", {{"why", pooled_sessions}});
    seen_at_ = now;
    looked_ = true;
    note_standby(found.has_error() ? std::vector<health_check>{} : found->checks);
    if (found.has_value() && found->state.schema)
    {
        note_checks(found->checks);
        if (queue_.connected() && found->state.epoch > queue_.epoch())
            queue_.reconnect("epoch " + std::to_string(found->state.epoch) + " was opened");
        co_return;
    }
    // The result of the checks stays until there is a database again, which may be another one.
    checked_at_ = {};
    if (found.has_value())
        note_misfit(found->state.detail);
}

/// The look's session is lost and no new one can be opened, but the issue connections are up and
/// answer: the database works, and the last result stays valid.
bool health_watch::only_new_sessions_fail(refusal const& why) const
{
    return looked_ && seen_.schema && why.trouble == trouble_kind::disconnected &&
           queue_.connected() && !queue_.silent();
}

void health_watch::note_failing_sessions(std::chrono::steady_clock::time_point now)
{
    sessions_fail_ = true;
    auto checks = checks_;
    std::erase_if(checks, [](auto const& check) { return check.name == "new_sessions"; });
    checks.push_back(check_new_sessions(/*fail=*/true));
    seen_.warnings = not_fine(checks);
    seen_at_ = now;
    note_checks(std::move(checks));
}

/// A failed attempt is repeated at each look.
void health_watch::try_sessions_now_and_then()
{
    if (sessions_fail_ || std::chrono::steady_clock::now() - session_tried_ >= session_interval)
        try_new_session();
}

/// Separate from the looks, which it must not delay.
void health_watch::try_new_session()
{
    if (stopped_ || std::exchange(trying_session_, true))
        return;
    session_tried_ = std::chrono::steady_clock::now();
    asio::co_spawn(io_, open_session(), asio::detached);
}

asio::awaitable<void> health_watch::open_session()
{
    // PL/pgSQL is a library of its own: the server loads it on first use.
    auto use = [](pqxx::connection& connection) -> result<bool> {
        try
        {
            return run_read(connection, [](auto& transaction) -> result<bool> {
                return query_row(transaction, "select count(*) from gapless.series_blocker(0)")
                           .size() == 1;
            });
        }
        catch (std::exception const& error)
        {
            return unavailable(trouble_kind::strained, error.what());
        }
    };
    auto const opened = co_await fresh_.run(std::move(use));
    fresh_.forget_connections();
    sessions_fail_ = opened.has_error();
    if (sessions_fail_)
        log_failure("new_session_failed", opened.error().detail);
    trying_session_ = false;
}

/// A COMMIT that waits during two looks waits for a standby that is down: the database cannot
/// answer, for any instance. Seen once only, the standby may just be slow.
void health_watch::note_standby(std::vector<health_check> const& found)
{
    auto const* const check = find_check(found, "standby_wait");
    auto const waiting = check == nullptr || check->fine ? std::string{} : check->value;
    queue_.note_standby(!waiting.empty() && waiting == waiting_commit_);
    waiting_commit_ = waiting;
}

/// The schema was migrated or replaced while we run: new connections learn the same.
void health_watch::note_misfit(std::string const& why)
{
    others_.forget_connections();
    if (queue_.connected())
        queue_.reconnect(why);
}

void health_watch::note_checks(std::vector<health_check> found)
{
    log_changes(checks_, found);
    checks_ = std::move(found);
    auto const obstacle = obstacle_in(checks_, settings_.accept_risk);
    if (!obstacle.empty() && queue_.connected())
        queue_.reconnect(obstacle);
}

}  // namespace gapless
