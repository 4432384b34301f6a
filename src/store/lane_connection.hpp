#pragma once

#include "store/lane.hpp"

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

/// Connects, applies the session settings, refuses a standby, prepares the statements, looks at the
/// server's settings, asks the gatekeeper and enters pipeline mode. Blocks, so it runs on a
/// database thread. Never throws; never names a password. `accusation`: why the database is to be
/// fenced first; empty: it is not.
lane_connection open_lane_connection(
    lane_settings const& settings, std::string const& accusation = {}
);

/// Raises a fence. What kept it from being raised, empty for nothing.
std::string raise_fence(PGconn* connection, std::string const& why);

/// What keeps numbers from leaving, in words: another environment, or a setting of the server;
/// empty for nothing.
std::string find_obstacle(PGconn* connection, lane_settings const& settings);

/// Asks the gatekeeper about the database at the other end, and does what it says: opens the next
/// epoch after a failover, or raises a fence. What keeps numbers from leaving, empty for nothing;
/// `fenced` tells whether it is a fence.
std::string ask_gatekeeper(PGconn* connection, gatekeeper const& admit, bool& fenced);

}  // namespace gapless
