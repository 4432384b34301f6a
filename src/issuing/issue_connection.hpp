#pragma once

#include "issuing/issuance.hpp"
#include "postgres/database_life.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// What a batch of one series does about the advisory lock that lets instances take turns.
enum class courtesy
{
    ask = 1,  // takes it inside its transaction; refused (`contested`) when another session has it
    lock,     // waits for it before its transaction, and gives it back behind it
    none,     // does not lock
};

/// Requests to issue together, in one transaction. The connection only reads them.
struct batch_to_issue
{
    std::uint64_t id{};  // chosen by the sender

    // The series of all requests. Empty: several series, each one's requests adjacent, nothing to
    // look up and nothing held.
    std::optional<std::int32_t> series_id;
    bool look_up{};  // false: all plain and new, the fast path; true: any kind
    std::vector<issue_request const*>
        requests;                     // 1..batch_requests_max; stay valid until the batch has ended
    courtesy manners{courtesy::ask};  // of one series; several always ask

    // What is known to have been issued when the batch is sent: a database behind it was put back,
    // and the batch fails with `accuses`. One per series, by series_id; empty: nothing is known.
    std::int32_t known_epoch{};
    std::vector<series_mark> known;
    std::uint32_t counter_oid{};  // filled in by the connection
};

/// How a batch ended.
enum class batch_fate
{
    done = 1,   // committed and durable: `answers` holds one outcome per request
    not_plain,  // nothing happened: something needs look_up (a spent key, a short block, a pause)
    conflict,   // nothing happened: serialization failure, deadlock, or another instance was met;
                // send it again
    locked,     // nothing happened: another transaction has locked the series; send it later
    failed,     // nothing happened: `why` says what the database refused
    unknown,  // the connection was lost before the end was known: resolve by sending the same keys
              // with look_up
};

struct batch_end
{
    std::uint64_t id{};
    batch_fate fate{};
    std::vector<result<issuance>> answers;  // in the order of the requests; only when done
    std::vector<std::int32_t> left_out;  // series of several to which nothing happened: locked or
                                         // not plain; their answers say nothing; only when done
    refusal why;                         // only when failed
    bool replayed{};                     // at least one answer is a replay or a refusal
    bool contested{};       // another instance issues from the series; only with conflict
    bool key_spent{};       // any of its keys may have been spent; with not_plain or conflict
    bool unexpected{};      // one of its requests may be to blame; only with failed
    bool lock_timed_out{};  // courtesy::lock: not released in time; the batch went without
    // A number was about to be issued twice, or the database lacks numbers that were issued: fence
    // it, giving `why` as the reason.
    bool accuses{};
    bool unfit{};  // the session lost its settings, or its server is read-only: it is dropped
};

/// What the connection tells its owner; always on the I/O thread, never from inside send().
struct issue_connection_events
{
    /// A connection to a server of this identity (host process, timeline, database) is ready.
    /// Return false to close it and try another one.
    std::function<bool(std::string const&)> admit;
    std::function<void(batch_end)> ended;
    std::function<void()> heard;      // a probe was answered
    std::function<void()> connected;  // send() may be called from now on
    /// Why it was lost: in words for clients, and the cause for the log alone (empty: the same).
    /// Every batch in flight ends as unknown right after.
    std::function<void(std::string, std::string)> lost;
    std::function<void(std::string)> fenced;  // why no number may be issued; retried later
};

struct issue_connection_settings
{
    std::string database_url;
    admission_check admit{};  // asked on each new connection; empty: trust the database
    bool accept_risk{};  // issue also where a crash of the server can lose acknowledged numbers
    std::string environment{};        // the database must belong to it; empty: any
    std::function<void()> changed{};  // a connection was lost or set up
    std::chrono::milliseconds reconnect_pause_max{2000};
    std::chrono::seconds connect_timeout{3};  // for each host of the URL
    std::chrono::seconds set_up_max{4};       // for everything after that
};

/// A connection on which an instance issues: libpq in pipeline mode, one SERIALIZABLE transaction
/// per batch, several batches in flight. libpqxx 6.4 has no pipeline mode; only this folder speaks
/// it (pipeline.hpp).
///
/// A batch never waits for a row lock, because batches of other series queue behind it; it ends as
/// `locked` instead.
///
/// A batch takes its series' advisory lock inside its own transaction, in the same call, and is
/// refused if another instance has it. With courtesy::lock the lock is taken before the batch and
/// returned after it, in the same burst of messages: an instance that waits for it does so before
/// its snapshot is taken, and does not fail to serialize. So a single instance pays nothing for the
/// lock, and several take turns. Correctness rests on the row lock, the unique keys and the
/// trigger.
///
/// Lives on the I/O thread. Connecting blocks, so it runs on a separate thread, bounded by
/// `connect_timeout` and `set_up_max`. Reconnects automatically, with random pauses, and sets up
/// each new connection from scratch.
class issue_connection
{
public:
    issue_connection(
        boost::asio::io_context& io,
        issue_connection_settings settings,
        issue_connection_events events
    );

    /// Interrupts a connection attempt and waits for it to end: at most `connect_timeout`.
    ~issue_connection();
    issue_connection(issue_connection const&) = delete;
    issue_connection& operator=(issue_connection const&) = delete;

    /// Starts connecting.
    void start();

    /// Drops the connection, ends every batch in flight as unknown, and does not reconnect.
    void stop();

    /// Drops the connection as if it had broken; for a batch that takes too long. A COMMIT is never
    /// cancelled, because a cancelled wait for the standby looks like success.
    void drop(std::string const& why);

    /// Drops the connection, and raises the fence on the next one before doing anything else.
    void accuse(std::string const& why);

    bool connected() const noexcept;

    /// The identity of the server; two connections with the same one issue from one database.
    /// Empty: not connected.
    std::string const& server() const noexcept;

    /// The state of the database when it was admitted.
    admitted_database const& admitted() const noexcept;

    /// Sends a batch. Call only while connected().
    void send(batch_to_issue batch);

    /// Asks whether the server still answers: events.heard, or never. No-op while not connected.
    void probe();

private:
    class implementation;
    boost::asio::thread_pool connector_{1};
    std::shared_ptr<implementation> implementation_;
};

}  // namespace gapless
