#pragma once

#include "domain/issuance.hpp"
#include "store/database_life.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gapless {

/// Requests that are to leave together, in one transaction. The lane only reads them.
struct lane_batch
{
    std::uint64_t id{};        // the sender's name for it
    std::int32_t series_id{};  // of all requests; 0: of several series, those of each side by side,
                               // nothing to look up, nothing held
    bool look_up{};            // false: all plain and new, the fast path; true: whatever they are
    std::vector<issue_request const*>
        requests;  // 1..batch_requests_max; stay valid until the batch has ended
};

/// How a batch ended.
enum class batch_fate
{
    done = 1,   // committed and durable: `answers` holds one outcome per request
    not_plain,  // nothing happened: something needs look_up (a spent key, a short block, a pause)
    conflict,   // nothing happened: serialization failure, deadlock or a lock not granted in time;
                // send it again
    failed,     // nothing happened: `why` says what the database refused
    unknown,  // the connection was lost before the end was known: resolve by sending the same keys
              // with look_up
};

struct batch_end
{
    std::uint64_t id{};
    batch_fate fate{};
    std::vector<result<issuance>> answers;  // in the order of the requests; only when done
    refusal why;                            // only when failed
    bool replayed{};                        // at least one answer is a replay or a refusal
    bool contested{};                       // another instance issues, too; only with conflict
    bool accuses{};  // a number was about to leave twice: the database is to be fenced, by `why`
    bool unfit{};    // the session lost its settings, or its server may not write: it is dropped
};

/// What the lane tells its owner; always on the I/O thread, never from inside send().
struct lane_events
{
    std::function<void(batch_end)> ended;
    std::function<void()> connected;  // send() may be called from now on
    std::function<void(std::string)>
        lost;  // in words; every batch in flight has ended as unknown before
    std::function<void(std::string)> fenced;  // why no number may leave; tried again later
};

struct lane_settings
{
    std::string database_url;
    gatekeeper admit{};  // asked on each new connection; none: what the database says of itself
    bool accept_risk{};  // issue also where a crash of the server can lose acknowledged numbers
    std::string environment{};        // the database has to belong to; empty: any
    std::function<void()> changed{};  // a connection was lost, or another one stands
    std::chrono::milliseconds reconnect_pause_max{2000};
    std::chrono::seconds connect_timeout{5};
};

/// The one connection on which an instance issues: libpq in pipeline mode, one SERIALIZABLE
/// transaction per batch, several batches in flight. libpqxx 6.4 has no pipeline mode; this is the
/// only file that speaks libpq (lane_connection.cpp).
///
/// A batch takes the advisory lock of its series inside its transaction, if it is free: one call.
/// It is refused when it is not, and for some seconds from then on the lock is taken and given back
/// around each batch, in the same burst of messages: whoever waits for it does so before its
/// snapshot is taken, and does not fail to serialize. So an instance that is alone does not pay for
/// a lock of its own, and one that is not gets its turn. It is a courtesy; correctness rests on the
/// row lock, the unique keys and the trigger.
///
/// Lives on the I/O thread; connecting (which may block in name resolution) happens on
/// `connectors`. Reconnects by itself, with random pauses, and sets everything up again on each new
/// connection.
class lane
{
public:
    lane(
        boost::asio::io_context& io,
        boost::asio::thread_pool& connectors,
        lane_settings settings,
        lane_events events
    );
    ~lane();
    lane(lane const&) = delete;
    lane& operator=(lane const&) = delete;

    /// Starts connecting.
    void start();

    /// Drops the connection, ends every batch in flight as unknown, and does not reconnect.
    void stop();

    /// Drops the connection as if it had broken; for a batch that takes too long. A COMMIT is never
    /// cancelled: a cancelled wait for the standby looks like success.
    void drop(std::string const& why);

    bool connected() const noexcept;

    /// True while another instance issues from the same series: batches of one series each are
    /// locked, batches of several are not.
    bool contested() const noexcept;

    /// Batches sent and not ended.
    std::size_t in_flight() const noexcept;

    /// Sends a batch. Only while connected().
    void send(lane_batch batch);

private:
    class implementation;
    std::shared_ptr<implementation> implementation_;
};

}  // namespace gapless
