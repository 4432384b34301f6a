#pragma once

#include "issuing/issue_connection.hpp"

#include <chrono>
#include <libpq-fe.h>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace gapless {

struct connection_deleter
{
    void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
};

/// A libpq connection ready for batches, or what kept it from becoming one.
struct pipeline_connection
{
    std::unique_ptr<PGconn, connection_deleter> handle;
    std::optional<refusal> trouble;  // none: ready; fenced: no number may leave
    std::string cause;               // of the trouble, for the log alone; empty: it says all
    std::string server;              // its identity: see connection::server()
    admitted_database admitted;
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
/// server's settings, asks the admission check and enters pipeline mode. Blocks, so it runs on a
/// thread of its own. Throws nothing but contract_violation; never names a password. `accusation`:
/// why to fence the database first; empty: do not.
pipeline_connection open_pipeline_connection(
    issue_connection_settings const& settings, std::string const& accusation, set_up_watch& watch
);

/// Notes in the session whose it is, as open_connection() does. `pooled_sessions` when another
/// client of ours has it already, or what else went wrong; none: nothing.
std::optional<refusal> claim_session(PGconn* connection);

/// Raises a fence, unless the database already refuses to issue: nothing may be written into it
/// while it is being restored. Returns what kept it from being raised, if anything.
std::optional<refusal> raise_fence(PGconn* connection, std::string const& why);

/// Why the server's schema does not fit this program, and what to do about it; none if it fits.
std::optional<refusal> find_misfit(PGconn* connection);

/// What keeps numbers from leaving: another environment, or a setting of the server; none: nothing.
std::optional<refusal> find_obstacle(PGconn* connection, issue_connection_settings const& settings);

/// Which server and database this is, so that two connections can be told to lead to the same one;
/// or what kept it from being read.
result<std::string> read_identity(PGconn* connection);

/// Asks the admission check about the database at the other end, and does what it says: opens the
/// next epoch after a failover, or raises a fence. What the database was then, or what keeps
/// numbers from leaving (fenced: a fence).
result<admitted_database> ask_admission_check(PGconn* connection, admission_check const& admit);

}  // namespace gapless
