#pragma once

#include "postgres/query.hpp"

#include <pqxx/transaction_base>

#include <chrono>

namespace gapless::test {

/// Waits until another session waits for a lock of this transaction. False when none came within
/// 20 s.
inline bool blocks_somebody(pqxx::transaction_base& holder)
{
    auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (!query_value<bool>(
        holder,
        "select exists (select from pg_locks where not granted and pg_backend_pid() = any "
        "(pg_blocking_pids(pid)))"
    ))
        if (std::chrono::steady_clock::now() > deadline)
            return false;
    return true;
}

}  // namespace gapless::test
