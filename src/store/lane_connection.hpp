#pragma once

#include "store/database_life.hpp"

#include <chrono>
#include <libpq-fe.h>
#include <memory>
#include <string>

namespace gapless {

struct connection_deleter
{
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};

/// A libpq connection ready for batches, or what kept it from becoming one.
struct lane_connection
{
    std::unique_ptr<PGconn, connection_deleter> handle;
    std::string trouble;  // empty: ready
    bool fenced{};        // the trouble is that no number may leave
};

/// Connects, applies the session settings, refuses a standby, prepares the statements, asks the
/// gatekeeper and enters pipeline mode. Blocks, so it runs on a database thread. Never throws;
/// never names a password.
lane_connection open_lane_connection(
    std::string const& database_url, std::chrono::seconds connect_timeout, gatekeeper const& admit
);

/// Asks the gatekeeper about the database at the other end, and does what it says: opens the next
/// epoch after a failover, or raises a fence. What keeps numbers from leaving, empty for nothing;
/// `fenced` tells whether it is a fence.
std::string ask_gatekeeper(PGconn* connection, gatekeeper const& admit, bool& fenced);

}  // namespace gapless
