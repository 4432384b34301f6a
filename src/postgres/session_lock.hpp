#pragma once

#include "record/pqxx_fwd.hpp"

#include <cstdint>

namespace gapless {

/// The first key of PostgreSQL's advisory locks: two letters in ASCII, to keep clear of other
/// applications' locks; sql/ has more of them.
enum class lock_purpose : std::int32_t
{
    issuing = 28263,  // "gn": from one series, the second key (issue_connection.hpp)
    writing = 28276,  // "nt": administrative writes (transaction.hpp); the second key is 0
};

enum class lock_mode
{
    shared = 1,
    exclusive,
};

/// Holds a session's advisory lock while it lives: taken before a transaction begins, so that the
/// wait precedes its snapshot. Under SERIALIZABLE a transaction that waits inside fails as soon as
/// it may go on. The lock is a courtesy: if it is not available within a second, because its owner
/// is frozen or waits for something unrelated, the transaction begins without it and may have to be
/// retried.
class session_lock
{
public:
    /// Blocks for a second at most. Throws what pqxx throws, except for a wait that was too long.
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
