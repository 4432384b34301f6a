#pragma once

#include <pqxx/pqxx>

#include <memory>
#include <string>

namespace gapless {

/// What a connection is for; its application_name in pg_stat_activity and its waiting times follow.
enum class connection_purpose
{
    service = 1,  // one of the service's database threads: short waits
    operation,    // a person at the command line: patient
};

/// No server at the other end, or none that will talk to us. The text names the way out, never a
/// password.
struct database_unreachable : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// The settings under which every session of ours works, as one SQL string: serializable,
/// synchronous_commit on, no sequential scans of small tables (they would take predicate locks on
/// all of it), bounded waits for locks.
std::string session_settings(connection_purpose purpose);

/// libpq's message in one piece, without anything that could be a password.
std::string to_public_text(std::string text);

/// Opens a connection that will not reconnect by itself: libpqxx 6 would silently come back without
/// the session's settings (serializable would become read committed). After any break it has to be
/// thrown away.
///
/// `url` is a libpq URL or key=value string; empty: libpq's own PG* variables. Blocks, up to its
/// connect_timeout (10 s unless the URL sets one). Throws database_unreachable.
std::unique_ptr<pqxx::connection> open_connection(
    std::string const& url, connection_purpose purpose
);

}  // namespace gapless
