#pragma once

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
};

/// Connects, applies the session settings, refuses a standby, prepares the statements and enters
/// pipeline mode. Blocks, so it runs on a database thread. Never throws; never names a password.
lane_connection open_lane_connection(
    std::string const& database_url, std::chrono::seconds connect_timeout
);

}  // namespace gapless
