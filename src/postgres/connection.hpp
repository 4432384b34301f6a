#pragma once

#include "base/refusal.hpp"
#include "record/pqxx_fwd.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gapless {

/// The purpose of a connection; its application_name in pg_stat_activity and timeouts follow.
enum class connection_purpose
{
    service = 1,  // one of the service's database threads: short waits
    operation,    // a person at the command line: long waits
};

/// The server cannot be reached or rejects us. what() is for the operator: it says what to do and
/// never contains a password; libpq's part of it names address, port and user.
struct database_unreachable : std::runtime_error
{
    explicit database_unreachable(
        std::string const& text, trouble_kind kind = trouble_kind::disconnected
    )
        : std::runtime_error{text},
          trouble{kind}
    {
    }

    trouble_kind trouble;
    std::string told{};  // for clients, while what() is logged; empty: the same
};

/// The text that clients, and anybody at /readyz, get when libpq fails to connect with this
/// message: at most the system's reason ("Connection refused"). Omits address, port and user,
/// anything quoted, the server's words, and messages in other languages.
std::string to_told_text(std::string_view text);

/// The message for a session that finds another one's leftovers, or has lost what it set and
/// prepared; says the way out.
inline constexpr std::string_view pooled_sessions{
    "a connection pooler in transaction mode stands between gapless and PostgreSQL, and loses "
    "settings and prepared statements: connect directly, or let it pool sessions (pool_mode = "
    "session, server_reset_query = DISCARD ALL)"};

/// The settings under which every session of ours works, as one SQL string: serializable,
/// synchronous_commit on, no sequential scans of small tables (they would take predicate locks on
/// all of it), bounded waits for locks, no other limits of the role or database.
std::string session_settings(connection_purpose purpose);

/// libpq's message without the end of its line; adds the way out if a pooler refused a parameter.
std::string to_public_text(std::string text);

/// What a URL or key=value string sets, as key='value', with *** for passwords and what else libpq
/// shows to nobody; *** alone if it cannot be read.
std::string to_public_options(std::string const& url);

/// How long connecting to one host may take, unless the URL sets connect_timeout. A URL with
/// several hosts is tried host by host, so a reader reaches the second one in time.
inline constexpr std::chrono::seconds connect_time_max{3};

/// Converts a URL or key=value string to key=value form, and adds what ends a wait for a dead peer:
/// connect_timeout, for each host, and keepalives, which find a dead peer in about ten seconds.
/// Values that `url` sets itself are kept. Throws database_unreachable for a URL that libpq cannot
/// read.
std::string with_time_limits(std::string const& url, std::chrono::seconds connect_time);

/// The sslmode of such connections if one of their hosts is not this machine and the mode is weaker
/// than verify-full, so that someone in between could read along or impersonate the server; empty:
/// nothing to fix. libpq takes what the URL leaves out from PG* variables; service files are not
/// read. Throws database_unreachable like with_time_limits.
std::string weak_sslmode(std::string const& url);

/// Opens a connection that does not reconnect by itself: libpqxx 6 would silently reconnect without
/// the session's settings (serializable would become read committed). After a break it must be
/// discarded.
///
/// `url` is a libpq URL or key=value string; empty: libpq's own PG* variables. `connected` is
/// called once connected, before the first query. The session stores its owner in the setting
/// gapless.session, so that another client of ours notices if a pooler hands it the session.
/// Blocks, up to connect_time_max for each host. Throws database_unreachable, also with
/// `pooled_sessions`, and what `connected` throws.
std::unique_ptr<pqxx::connection> open_connection(
    std::string const& url,
    connection_purpose purpose,
    std::function<void(pqxx::connection&)> const& connected = {}
);

/// Ends, from another thread, what a connection waits for: the waiting call finds the connection
/// broken. Holds its own descriptor, so it never hits another connection's.
class connection_switch
{
public:
    /// Throws database_unreachable if no descriptor is left.
    explicit connection_switch(pqxx::connection& connection);
    ~connection_switch();
    connection_switch(connection_switch const&) = delete;
    connection_switch& operator=(connection_switch const&) = delete;

    /// Any thread; does not wait.
    void turn_off() noexcept;

private:
    int socket_;
};

}  // namespace gapless
