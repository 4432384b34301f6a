#pragma once

#include "base/refusal.hpp"
#include "record/pqxx_fwd.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gapless {

/// What a connection is for; its application_name in pg_stat_activity and its waiting times follow.
enum class connection_purpose
{
    service = 1,  // one of the service's database threads: short waits
    operation,    // a person at the command line: patient
};

/// The server cannot be reached, or rejects us. what() is for the operator: it says what to do and
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
    std::string told{};  // to clients, instead of what(), which is logged; empty: the same
};

/// What clients, and strangers at /readyz, are told where libpq says this of a connection that it
/// could not make: the system's reason ("Connection refused") at most. Address, port and user stay
/// out, so nothing that is quoted, that the server said, or that is in another language is told.
std::string to_told_text(std::string_view text);

/// What is wrong where a session meets what another one left behind, or has lost what it set and
/// prepared. In words, with the way out.
inline constexpr std::string_view pooled_sessions{
    "a connection pooler in transaction mode stands between gapless and PostgreSQL, and loses "
    "settings and prepared statements: connect directly, or let it pool sessions (pool_mode = "
    "session, server_reset_query = DISCARD ALL)"};

/// The settings under which every session of ours works, as one SQL string: serializable,
/// synchronous_commit on, no sequential scans of small tables (they would take predicate locks on
/// all of it), bounded waits for locks.
std::string session_settings(connection_purpose purpose);

/// libpq's message in one piece, without anything that could be a password; with the way out where
/// a pooler refused a parameter.
std::string to_public_text(std::string text);

/// How long connecting to one host may take, unless the URL sets connect_timeout. A URL with
/// several hosts is tried host by host, so a reader is back on the second one in time.
inline constexpr std::chrono::seconds connect_time_max{3};

/// The same connection in libpq's key=value form, with what ends a wait for a peer that is gone:
/// connect_timeout, for each host, and keepalives, which find a dead peer in about ten seconds.
/// What `url` (a URL or key=value string) sets itself stands. Throws database_unreachable for a
/// URL that libpq cannot read.
std::string with_time_limits(std::string const& url, std::chrono::seconds connect_time);

/// The sslmode of such connections where one of their hosts is not this machine and the mode is
/// weaker than verify-full, so that somebody between could read along or answer in the server's
/// place; empty: there is nothing to see to. What the URL leaves out libpq takes from PG*
/// variables; service files are not looked at. Throws database_unreachable as with_time_limits.
std::string weak_sslmode(std::string const& url);

/// Opens a connection that will not reconnect by itself: libpqxx 6 would silently come back without
/// the session's settings (serializable would become read committed). After any break it has to be
/// thrown away.
///
/// `url` is a libpq URL or key=value string; empty: libpq's own PG* variables. `connected` is
/// called when the connection stands, before anything is asked on it. The session keeps in the
/// setting gapless.session whose it is, so that another client of ours that a pooler hands it to
/// notices. Blocks, up to connect_time_max for each host. Throws database_unreachable, also with
/// `pooled_sessions`, and what `connected` throws.
std::unique_ptr<pqxx::connection> open_connection(
    std::string const& url,
    connection_purpose purpose,
    std::function<void(pqxx::connection&)> const& connected = {}
);

/// Ends what a connection waits for, from another thread: whoever waits finds the connection
/// broken. Holds a descriptor of its own, so it never meets another connection's.
class connection_switch
{
public:
    /// Throws database_unreachable when there is no descriptor left.
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
