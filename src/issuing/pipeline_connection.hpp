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

/// A libpq connection ready for batches, or the reason why it is not.
struct pipeline_connection
{
    std::unique_ptr<PGconn, connection_deleter> handle;
    std::optional<refusal> trouble;  // none: ready; fenced: no number may be issued
    std::string cause;               // of the trouble, for the log alone; empty: it says all
    std::string server;              // its identity: see connection::server()
    admitted_database admitted;
};

/// Ends the waits of the thread that sets up a connection, since libpq has no statement timeout.
class set_up_watch
{
public:
    using clock = std::chrono::steady_clock;

    /// The connection of this socket is being set up from now on.
    void begin(int socket);

    /// The connection is set up, or is about to be closed. Returns true if it was cut.
    bool end();

    /// Cuts the connection if its set-up began at or before `since`; with max(), every later one
    /// as well. Any thread.
    void cut(clock::time_point since) noexcept;

private:
    std::mutex mutex_;
    int socket_{-1};
    clock::time_point began_{};
    bool cut_{};
    bool over_{};  // cut whatever begins
};

/// Connects, applies the session settings, refuses a standby, prepares the statements, checks the
/// server's settings, runs the admission check and enters pipeline mode. Blocks, so it runs on a
/// thread of its own. Throws nothing but contract_violation; never reveals a password.
/// `accusation`: why to fence the database first; empty: do not.
pipeline_connection open_pipeline_connection(
    issue_connection_settings const& settings, std::string const& accusation, set_up_watch& watch
);

/// Marks the session as this connection's, as open_connection() does. Returns `pooled_sessions` if
/// another client of ours has the session already, another refusal if it failed, or nothing.
std::optional<refusal> claim_session(PGconn* connection);

/// Raises a fence, unless the database already refuses to issue: nothing may be written to it while
/// it is being restored. Returns the reason if the fence could not be raised.
std::optional<refusal> raise_fence(PGconn* connection, std::string const& why);

/// Why the server's schema does not fit this program, and what to do about it; none if it fits.
std::optional<refusal> find_misfit(PGconn* connection);

/// What forbids issuing: another environment, or a server setting; none: nothing.
std::optional<refusal> find_obstacle(PGconn* connection, issue_connection_settings const& settings);

/// The identity of server and database, so that two connections to the same one can be recognized;
/// or the reason why it could not be read.
result<std::string> read_identity(PGconn* connection);

/// Runs the admission check on the database at the other end and acts on it: opens the next epoch
/// after a failover, or raises a fence. Returns the database's state at that time, or what keeps
/// numbers from being issued (fenced: a fence).
result<admitted_database> ask_admission_check(PGconn* connection, admission_check const& admit);

}  // namespace gapless
