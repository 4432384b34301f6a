#pragma once

#include "store/lane.hpp"

#include <chrono>
#include <libpq-fe.h>
#include <memory>
#include <mutex>
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
    std::string server;   // its identity: see lane::server()
};

/// Ends the waits of the thread that sets up a connection: libpq has no deadline for statements.
class set_up_watch
{
public:
    using clock = std::chrono::steady_clock;

    /// From now on the connection of this socket is set up.
    void begin(int socket);

    /// The connection is set up, or is about to be closed. True: it was cut.
    bool end();

    /// Cuts the connection if it is being set up since that moment, or longer. Any thread.
    void cut(clock::time_point since) noexcept;

private:
    std::mutex mutex_;
    int socket_{-1};
    clock::time_point began_{};
    bool cut_{};
};

/// Connects, applies the session settings, refuses a standby, prepares the statements, looks at the
/// server's settings, asks the gatekeeper and enters pipeline mode. Blocks, so it runs on a
/// thread of its own. Throws nothing but contract_violation; never names a password. `accusation`:
/// why the database is to be fenced first; empty: it is not.
lane_connection open_lane_connection(
    lane_settings const& settings, std::string const& accusation, set_up_watch& watch
);

/// Raises a fence. What kept it from being raised, empty for nothing.
std::string raise_fence(PGconn* connection, std::string const& why);

/// What keeps numbers from leaving, in words: another environment, or a setting of the server;
/// empty for nothing.
std::string find_obstacle(PGconn* connection, lane_settings const& settings);

/// Which server and database this is, so that two connections can be told to lead to the same one.
/// What kept it from being read goes into `trouble`.
std::string read_identity(PGconn* connection, std::string& trouble);

/// Asks the gatekeeper about the database at the other end, and does what it says: opens the next
/// epoch after a failover, or raises a fence. What keeps numbers from leaving, empty for nothing;
/// `fenced` tells whether it is a fence.
std::string ask_gatekeeper(PGconn* connection, gatekeeper const& admit, bool& fenced);

}  // namespace gapless
