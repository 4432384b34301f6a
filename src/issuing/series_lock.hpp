#pragma once

#include "record/pqxx_fwd.hpp"

#include <cstdint>

namespace gapless {

/// Takes the turn of a series among those who issue from it, and gives it back: the lock by which
/// connections of several instances take turns (issuing/issue_connection.hpp). Taken before a
/// transaction begins, so that the wait is not part of its snapshot. A courtesy: where it is not to
/// be had in time the transaction begins without it, and may have to be tried again. Blocks, for
/// the session's lock_timeout at most.
class series_lock
{
public:
    series_lock(pqxx::connection& connection, std::int32_t series_id);
    ~series_lock();
    series_lock(series_lock const&) = delete;
    series_lock& operator=(series_lock const&) = delete;

private:
    pqxx::connection& connection_;
    bool taken_{};
};

}  // namespace gapless
