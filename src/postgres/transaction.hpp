#pragma once

#include "base/refusal.hpp"
#include "record/pqxx_fwd.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>

namespace gapless {

/// How often, and until when, a conflicting transaction is retried.
struct retry_policy
{
    int attempts_max{8};
    std::chrono::milliseconds pause_max{50};
    std::chrono::steady_clock::time_point deadline{std::chrono::steady_clock::time_point::max()};
};

/// What a transaction sees of other transactions.
enum class isolation
{
    serializable = 1,  // as if it were alone; retried after a conflict
    read_committed,    // also what others commit meanwhile
    snapshot,          // one moment, read-only
};

/// How work that did not refuse ends.
enum class ending
{
    commit = 1,  // a COMMIT in doubt is outcome_unknown, and the work is not retried
    roll_back,   // nothing can be in doubt
};

/// How a change takes turns with others on the same database (lock_purpose::writing).
enum class write_turn
{
    none = 1,  // takes no turn
    together,  // concurrent with others; alone after a conflict
};

/// How a transaction runs.
struct transaction_policy
{
    isolation sees{isolation::serializable};
    ending ends{ending::commit};
    retry_policy retry{};
    write_turn turn{write_turn::none};
    std::int32_t series_id{};  // that is changed: if it conflicts twice, its batches wait; 0: none
};

namespace detail {

/// Runs `work` in transactions until one succeeds, within the policy. `work` returns false to have
/// its changes rolled back. Returns nullopt on success, else what the table of outcomes says of the
/// error: a connection lost at COMMIT, and a COMMIT whose wait for the standby was cancelled, are
/// outcome_unknown; conflicts beyond the policy are database_unavailable. Our bugs are rethrown.
std::optional<refusal> run_attempts(
    pqxx::connection& connection,
    transaction_policy const& policy,
    std::function<bool(pqxx::transaction_base&)> const& work
);

}  // namespace detail

/// Runs `work` in a transaction as the policy says. `work` takes pqxx::transaction_base& and
/// returns T or result<T>; it may run more than once, so it touches the database and nothing else.
/// A result that is a refusal rolls back. Returns result<T>.
///
/// Refuses with what `work` or our SQL refused, database_unavailable (nothing happened) or, where
/// it commits, outcome_unknown (run the same idempotency key again on a fresh connection). Blocks:
/// database threads and the command line only.
template <class Work>
auto run_transaction(pqxx::connection& connection, transaction_policy const& policy, Work work)
{
    using returned = std::invoke_result_t<Work&, pqxx::transaction_base&>;
    constexpr bool may_refuse = requires(returned r)
    {
        r.has_error();
    };
    using outcome = std::conditional_t<may_refuse, returned, result<returned>>;

    std::optional<outcome> kept;
    auto const attempt = [&](pqxx::transaction_base& transaction) {
        kept.emplace(work(transaction));
        return kept->has_value();
    };
    if (auto why = detail::run_attempts(connection, policy, attempt))
        return outcome{std::move(*why)};
    if (!kept)  // a bug of ours, not to be taken for "nothing happened"
        throw std::logic_error{"a transaction has ended well without its work"};
    return std::move(*kept);
}

/// Runs `work` in a SERIALIZABLE transaction and commits it: every change of numbers.
template <class Work>
auto run_serializable(pqxx::connection& connection, retry_policy const& retry, Work work)
{
    return run_transaction(connection, {.retry = retry}, std::move(work));
}

/// The same for administrative changes, other than issuing. PostgreSQL locks pages of indexes, so
/// writes to small tables abort each other although their rows differ, more often than they are
/// retried. So each takes an advisory lock (lock_purpose::writing) shared by all programs on one
/// database: after a conflict it is retried while no other one runs. Issuing does not take it: its
/// batches change the counter of `series_id`, which most changes of a series lock, so the third
/// attempt holds the lock of that series (lock_purpose::issuing) as well.
template <class Work>
auto run_write(pqxx::connection& connection, std::int32_t series_id, Work work)
{
    return run_transaction(
        connection, {.turn = write_turn::together, .series_id = series_id}, std::move(work)
    );
}

/// Runs `work` like run_write, with every check of the database, and rolls back its effects.
template <class Work>
auto run_rehearsal(pqxx::connection& connection, std::int32_t series_id, Work work)
{
    return run_transaction(
        connection,
        {.ends = ending::roll_back, .turn = write_turn::together, .series_id = series_id},
        std::move(work)
    );
}

/// Runs `work` in a READ COMMITTED transaction and commits it, for work that takes turns by its own
/// lock: its reads conflict with no serializable transaction.
template <class Work>
auto run_read_committed(pqxx::connection& connection, Work work)
{
    return run_transaction(connection, {.sees = isolation::read_committed}, std::move(work));
}

/// Runs `work` on one read-only snapshot.
template <class Work>
auto run_read(pqxx::connection& connection, Work work)
{
    return run_transaction(
        connection, {.sees = isolation::snapshot, .ends = ending::roll_back}, std::move(work)
    );
}

}  // namespace gapless
