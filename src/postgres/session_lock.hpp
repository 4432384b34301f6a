#pragma once

#include "record/pqxx_fwd.hpp"

#include <cstdint>

namespace gapless {

/// The first number of PostgreSQL's advisory locks. Two letters in ASCII, so that no other
/// application's locks are met; sql/ has more of them.
enum class lock_purpose : std::int32_t
{
    issuing = 28263,  // "gn": from one series, which is the second number (issue_connection.hpp)
    writing = 28276,  // "nt": administrative writes (transaction.hpp); the second number is 0
};

enum class lock_mode
{
    shared = 1,
    exclusive,
};

/// A session's advisory lock while it lives: taken before a transaction begins, so that the wait is
/// not part of its snapshot. Under SERIALIZABLE whoever waits inside of a transaction fails as soon
/// as it may go on. A courtesy: where it is not to be had within a second, because its owner is
/// frozen or waits for what others have no need of, the transaction begins without it, and may have
/// to be tried again.
class session_lock
{
public:
    /// Blocks, for a second at most. Throws what pqxx throws, but where the wait was too long.
    session_lock(
        pqxx::connection& connection, lock_purpose purpose, std::int32_t which, lock_mode mode
    );
    ~session_lock();
    session_lock(session_lock const&) = delete;
    session_lock& operator=(session_lock const&) = delete;

private:
    pqxx::connection& connection_;
    lock_purpose const purpose_;
    std::int32_t const which_;
    lock_mode const mode_;
    bool taken_{};
};

}  // namespace gapless
