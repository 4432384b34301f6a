#include "store/transaction.hpp"

#include "store/notices.hpp"

#include <algorithm>
#include <random>
#include <thread>

namespace gapless {

namespace {

/// Random, because clients that collided once would otherwise collide again in step; grows with
/// each attempt.
std::chrono::microseconds pause_after(int attempt, std::chrono::milliseconds pause_max)
{
    thread_local std::minstd_rand dice{std::random_device{}()};
    auto const ceiling = std::min<std::chrono::microseconds>(
        std::chrono::milliseconds{1} * (1 << std::min(attempt, 10)), pause_max
    );
    return std::chrono::microseconds{
        std::uniform_int_distribution<long long>{0, ceiling.count()}(dice)};
}

std::string first_line(std::string const& text)
{
    auto line = text.substr(0, text.find('\n'));
    if (line.starts_with("ERROR:"))
        line.erase(0, line.find_first_not_of(' ', 6));
    return line;
}

refusal unavailable(std::string detail)
{
    return {refusal_kind::database_unavailable, std::move(detail)};
}

/// What an SQL error means to the client, or none when it is a bug of ours and has to be rethrown.
std::optional<refusal> refusal_of(pqxx::sql_error const& error)
{
    auto const& state = error.sqlstate();
    // libpqxx 6.4.5 throws this one without its SQLSTATE.
    if (dynamic_cast<pqxx::insufficient_privilege const*>(&error) != nullptr)
        return refusal{
            refusal_kind::forbidden,
            "the database role is not allowed to do this: " + first_line(error.what())};
    if (auto const kind = refusal_of_sqlstate(state); kind != refusal_kind{})
        return refusal{kind, first_line(error.what())};
    if (state == "25006")
        return unavailable("the server is read-only: a standby, or a primary set to read-only");
    if (state == "53100")
        return unavailable("the disk of the database is full");
    if (state == "55P03" || state == "57014")
        return unavailable("a lock was not granted in time");
    if (state == "3F000" || state == "42P01" || state == "42883")
        return unavailable(
            "the database has no schema of gapless, or another version's; run: gapless migrate up"
        );
    if (state.starts_with("53") || state.starts_with("57") || state.starts_with("08"))
        return unavailable(first_line(error.what()));
    return std::nullopt;
}

}  // namespace

namespace detail {

void commit(pqxx::connection& connection, pqxx::transaction_base& transaction)
{
    warning_watch const watch{connection};
    transaction.commit();
    if (watch.warned())
        throw pqxx::in_doubt_error{
            "the wait for the synchronous standby was cut short: " + watch.text()};
}

refusal run_attempts(
    pqxx::connection& connection,
    retry_policy const& retry,
    std::function<void()> const& attempt,
    bool& succeeded
)
{
    for (int n = 1;; ++n)
    {
        // The order of the catches matters: in libpqxx 6.4.5 statement_completion_unknown derives
        // from transaction_rollback, and a serialization_failure is no sql_error.
        try
        {
            attempt();
            succeeded = true;
            return {};
        }
        catch (pqxx::in_doubt_error const&)
        {
            return {
                refusal_kind::outcome_unknown,
                "the connection was lost at COMMIT; repeat with the same key"};
        }
        catch (pqxx::statement_completion_unknown const&)
        {
            return {
                refusal_kind::outcome_unknown,
                "the connection was lost at COMMIT; repeat with the same key"};
        }
        catch (pqxx::broken_connection const&)
        {
            return unavailable("the connection to the database was lost before COMMIT");
        }
        catch (pqxx::serialization_failure const&)
        {
            // Once more.
        }
        catch (pqxx::deadlock_detected const&)
        {
            // Once more.
        }
        catch (pqxx::sql_error const& error)
        {
            if (!connection.is_open())
                return unavailable("the connection to the database was lost before COMMIT");
            if (auto why = refusal_of(error))
                return std::move(*why);
            throw;
        }

        auto const pause = pause_after(n, retry.pause_max);
        if (n >= retry.attempts_max || std::chrono::steady_clock::now() + pause >= retry.deadline)
            return unavailable(
                "others changed the same " + std::to_string(n) + " times meanwhile; try again"
            );
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace detail

}  // namespace gapless
