#pragma once

#include "domain/refusal.hpp"

#include <pqxx/pqxx>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace gapless {

/// How often, and until when, a transaction in conflict is tried again.
struct retry_policy
{
    int attempts_max{8};
    std::chrono::milliseconds pause_max{50};
    std::chrono::steady_clock::time_point deadline{std::chrono::steady_clock::time_point::max()};
};

namespace detail {

/// Runs `attempt` until it is done, within the policy. Translates every way libpqxx can fail:
/// a GL SQLSTATE into its refusal; a connection lost before COMMIT into database_unavailable; one
/// lost at COMMIT, and a COMMIT whose wait for the standby was cancelled, into outcome_unknown;
/// conflicts beyond the policy into database_unavailable. Anything else is rethrown.
refusal run_attempts(
    pqxx::connection& connection,
    retry_policy const& retry,
    std::function<void()> const& attempt,
    bool& succeeded
);

/// Commits, and throws pqxx::in_doubt_error when the server warned meanwhile: a cancelled wait for
/// the synchronous standby is a WARNING followed by success.
void commit(pqxx::connection& connection, pqxx::transaction_base& transaction);

}  // namespace detail

/// Runs `work` in a SERIALIZABLE transaction and commits it. `work` takes pqxx::transaction_base&
/// and returns T or result<T>; it may run more than once, so it touches the database and nothing
/// else. A result that is a refusal rolls back.
///
/// Refuses with what `work` or our SQL refused, database_unavailable (nothing happened) or
/// outcome_unknown (run the same idempotency key again on a fresh connection). Blocks: database
/// threads and the command line only.
template <class Work>
auto run_serializable(pqxx::connection& connection, retry_policy const& retry, Work work)
{
    using answer = std::invoke_result_t<Work&, pqxx::transaction_base&>;
    constexpr bool may_refuse = requires(answer a)
    {
        a.has_error();
    };
    using outcome = std::conditional_t<may_refuse, answer, result<answer>>;

    std::optional<outcome> kept;
    auto const attempt = [&] {
        pqxx::transaction<pqxx::serializable> transaction{connection};
        kept.emplace(work(transaction));
        if (kept->has_value())
            detail::commit(connection, transaction);
    };
    bool succeeded = false;
    auto why = detail::run_attempts(connection, retry, attempt, succeeded);
    if (succeeded)
        return std::move(*kept);
    return outcome{std::move(why)};
}

/// Runs `work` like run_serializable, with every check the database has, and rolls back whatever it
/// did.
template <class Work>
auto run_rehearsal(pqxx::connection& connection, Work work)
{
    using answer = std::invoke_result_t<Work&, pqxx::transaction_base&>;

    std::optional<result<answer>> kept;
    auto const attempt = [&] {
        pqxx::transaction<pqxx::serializable> transaction{connection};
        kept.emplace(work(transaction));
        transaction.abort();
    };
    bool succeeded = false;
    auto why = detail::run_attempts(connection, {}, attempt, succeeded);
    if (succeeded)
        return std::move(*kept);
    return result<answer>{std::move(why)};
}

/// Runs `work` in a READ COMMITTED transaction and commits it, for work that takes its turn by a
/// lock of its own: serializable transactions meet none of its reads, and abort for none. Refuses,
/// repeats and blocks like run_serializable.
template <class Work>
auto run_read_committed(pqxx::connection& connection, Work work)
{
    using answer = std::invoke_result_t<Work&, pqxx::transaction_base&>;

    std::optional<result<answer>> kept;
    auto const attempt = [&] {
        pqxx::transaction<pqxx::read_committed> transaction{connection};
        // libpqxx takes it for the default, which on our connections is another.
        transaction.exec0("set transaction isolation level read committed");
        kept.emplace(work(transaction));
        detail::commit(connection, transaction);
    };
    bool succeeded = false;
    auto why = detail::run_attempts(connection, {}, attempt, succeeded);
    if (succeeded)
        return std::move(*kept);
    return result<answer>{std::move(why)};
}

/// Runs `work` on one read-only snapshot. Refuses and blocks like run_serializable, except that it
/// is never unknown.
template <class Work>
auto run_read(pqxx::connection& connection, Work work)
{
    using answer = std::invoke_result_t<Work&, pqxx::transaction_base&>;
    constexpr bool may_refuse = requires(answer a)
    {
        a.has_error();
    };
    using outcome = std::conditional_t<may_refuse, answer, result<answer>>;

    std::optional<outcome> kept;
    auto const attempt = [&] {
        pqxx::transaction<pqxx::repeatable_read, pqxx::readwrite_policy::read_only> transaction{
            connection};
        kept.emplace(work(transaction));
    };
    bool succeeded = false;
    auto why = detail::run_attempts(connection, {}, attempt, succeeded);
    if (succeeded)
        return std::move(*kept);
    return outcome{std::move(why)};
}

}  // namespace gapless
