#pragma once

#include "record/pqxx_fwd.hpp"

#include <chrono>
#include <cstdint>

namespace gapless {

/// For what turns are taken: the first number of PostgreSQL's advisory locks. Two letters in ASCII,
/// so that no other application's locks are met; sql/ has more of them.
enum class turn_kind : std::int32_t
{
    issuing = 28263,  // "gn": from one series, which is the second number (issue_connection.hpp)
    writing = 28276,  // "nt": administrative writes (transaction.hpp); the second number is 0
};

/// How many may have a turn at once.
enum class turn_mode
{
    beside = 1,  // all who want it so
    alone,
};

/// A session's advisory lock while it lives: taken before a transaction begins, so that the wait is
/// not part of its snapshot. Under SERIALIZABLE whoever waits inside of a transaction fails as soon
/// as it may go on. A courtesy: where it is not to be had within `wait_max`, because its owner is
/// frozen, the transaction begins without it, and may have to be tried again.
class session_lock
{
public:
    /// Blocks, for `wait_max`. Throws what pqxx throws, but where the wait was too long.
    session_lock(
        pqxx::connection& connection,
        turn_kind kind,
        std::int32_t which,
        turn_mode mode,
        std::chrono::milliseconds wait_max
    );
    ~session_lock();
    session_lock(session_lock const&) = delete;
    session_lock& operator=(session_lock const&) = delete;

private:
    pqxx::connection& connection_;
    turn_kind const kind_;
    std::int32_t const which_;
    turn_mode const mode_;
    bool taken_{};
};

}  // namespace gapless
