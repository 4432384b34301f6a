#include "postgres/transaction.hpp"

#include "postgres/outcome.hpp"
#include "postgres/query.hpp"
#include "postgres/session_lock.hpp"
#include "postgres/warning_watch.hpp"

#include <algorithm>
#include <random>
#include <thread>

namespace gapless {

namespace {

/// Random, because clients that collided once would otherwise collide again in step; increases with
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

/// Calls `use` with a new transaction. It is rolled back unless it was committed.
template <class Use>
void with_transaction(pqxx::connection& connection, isolation sees, Use use)
{
    switch (sees)
    {
    case isolation::serializable: {
        pqxx::transaction<pqxx::serializable> transaction{connection};
        return use(transaction);
    }
    case isolation::read_committed: {
        pqxx::transaction<pqxx::read_committed> transaction{connection};
        // libpqxx assumes it to be the default and omits it; our connections have another default.
        execute(transaction, "set transaction isolation level read committed");
        return use(transaction);
    }
    case isolation::snapshot: {
        snapshot_transaction transaction{connection};
        return use(transaction);
    }
    }
}

/// Commits, and throws pqxx::in_doubt_error if the server warned meanwhile: a cancelled wait for
/// the synchronous standby is a WARNING followed by success.
void commit(pqxx::connection& connection, pqxx::transaction_base& transaction)
{
    warning_watch const watch{connection};
    transaction.commit();
    if (watch.warned())
        throw pqxx::in_doubt_error{
            "the wait for the synchronous standby was cut short: " + watch.text()};
}

using transaction_work = std::function<bool(pqxx::transaction_base&)>;

/// The locks of a change, kept from one attempt to the next.
struct write_locks
{
    std::optional<session_lock> writers{};
    std::optional<session_lock> series{};
};

/// Called before the attempt of this number. Other writers wait from the second one on, batches of
/// the series from the third.
void lock_writers(
    write_locks& locks, pqxx::connection& connection, transaction_policy const& policy, int attempt
)
{
    if (policy.turn == write_turn::none)
        return;
    if (attempt <= 2)
    {
        locks.writers.reset();
        auto const mode = attempt == 1 ? lock_mode::shared : lock_mode::exclusive;
        locks.writers.emplace(connection, lock_purpose::writing, 0, mode);
    }
    else if (attempt == 3 && policy.series_id != 0)
        locks.series.emplace(
            connection, lock_purpose::issuing, policy.series_id, lock_mode::exclusive
        );
}

/// Returns nullopt on success. Rethrows our bugs.
std::optional<database_outcome> try_once(
    pqxx::connection& connection,
    transaction_policy const& policy,
    transaction_work const& work,
    write_locks& locks,
    int attempt
)
{
    try
    {
        lock_writers(locks, connection, policy, attempt);
        with_transaction(connection, policy.sees, [&](pqxx::transaction_base& transaction) {
            if (work(transaction) && policy.ends == ending::commit)
                commit(connection, transaction);
        });
        return std::nullopt;
    }
    catch (pqxx::failure const& failure)
    {
        auto found = to_outcome(failure, connection.is_open());
        switch (found.kind)
        {
        case outcome_kind::refused:
        case outcome_kind::trouble:
        case outcome_kind::locked:
        case outcome_kind::conflict:
        case outcome_kind::other_instance: return found;
        case outcome_kind::in_doubt:
            if (policy.ends == ending::roll_back)
                found.why = unavailable(
                    trouble_kind::disconnected, "the connection to the database was lost"
                );
            return found;
        case outcome_kind::key_spent:
        case outcome_kind::number_spent:
        case outcome_kind::duplicate:
        case outcome_kind::unexpected: break;
        }
        throw;
    }
}

bool is_conflict(outcome_kind kind) noexcept
{
    return kind == outcome_kind::conflict || kind == outcome_kind::other_instance;
}

}  // namespace

namespace detail {

std::optional<refusal> run_attempts(
    pqxx::connection& connection, transaction_policy const& policy, transaction_work const& work
)
{
    write_locks locks;
    for (int n = 1;; ++n)
    {
        auto met = try_once(connection, policy, work, locks, n);
        if (!met)
            return std::nullopt;
        if (!is_conflict(met->kind))
            return std::move(met->why);
        auto const& retry = policy.retry;
        auto const pause = pause_after(n, retry.pause_max);
        if (n >= retry.attempts_max || std::chrono::steady_clock::now() + pause >= retry.deadline)
            return unavailable(
                trouble_kind::strained,
                "the transaction was in conflict " + std::to_string(n) + " times; try again"
            );
        std::this_thread::sleep_for(pause);
    }
}

}  // namespace detail

}  // namespace gapless
