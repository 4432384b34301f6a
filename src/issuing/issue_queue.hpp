#pragma once

#include "issuing/issue_connection.hpp"
#include "issuing/issue_listener.hpp"
#include "issuing/queue_core.hpp"
#include "issuing/queue_figures.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gapless {

/// Callbacks for what happens in the queue; each may be empty.
struct queue_watchers
{
    /// Records what was issued, before it is answered; if it throws journal_failure, nothing is.
    std::function<void(series_mark const&)> remember{};

    /// What is noted of a series outside the database, its turn only if it is of that epoch;
    /// batches of the series are compared with it as well.
    std::function<series_mark(std::int32_t series_id, std::int32_t epoch)> noted{};

    /// A series has been locked for more than a moment: find out by whom, and report it with
    /// note_blocker(). Repeated every second while the lock lasts.
    std::function<void(std::int32_t)> locked{};

    /// A series reported by `locked` issues again, or nobody has asked it to for a minute.
    std::function<void(std::int32_t)> free_again{};

    /// Another epoch is open than before, or its tables are others: what is known of its series
    /// may be of another state of the database. Called before a number is issued there.
    std::function<void()> database_changed{};

    /// A connection was lost or is up. Posted, so no call into the queue is under way.
    std::function<void()> connection_changed{};
};

/// Holds issue requests and sends them in batches: the shell around queue_core, which decides, with
/// two connections, timers and the journal.
///
/// A lone request is sent at once. With one batch under way the next is sent only when at least as
/// many requests wait as are under way, so batches grow by themselves with load and commit latency.
/// With few clients and long COMMITs, the next batch waits for the clients just answered. Requests
/// of one series are sent in the order they came.
///
/// While a batch has room, requests of the series whose turn is next join it: many quiet series
/// share the price of a COMMIT. Requests that cannot share one, or may take long, go to a
/// connection of their own. A series that other sessions lock backs off alone, until its requests'
/// deadline.
///
/// A batch takes the fast path first (plain, new, fitting); requests that turn out not to be plain
/// are sent again with their keys looked up. When a connection is lost, the batches under way are
/// sent again with their keys looked up: the unique key tells whether they had happened. A request
/// whose fate is still open at its deadline ends as outcome_unknown, one that certainly did not
/// happen as database_unavailable or overloaded.
///
/// A request that would wait too long is refused at once. The wait is estimated from the number of
/// batches ahead and the duration of recent ones; each series has its share of it.
///
/// A broken promise in here ends the process. Lives on the I/O thread.
class issue_queue
{
public:
    issue_queue(
        boost::asio::io_context& io,
        issue_connection_settings const& settings,
        queue_limits limits,
        queue_watchers watchers = {}
    );
    ~issue_queue();
    issue_queue(issue_queue const&) = delete;
    issue_queue& operator=(issue_queue const&) = delete;

    void start();

    /// Ends the waiting requests and drops the connections.
    void stop();

    /// Queues a request; its listener is told the outcome once, never from inside this call. The
    /// wait counts from `arrived`: for a request that was taken out, when it was first queued.
    void submit(
        issue_request request,
        std::unique_ptr<issue_listener> listener,
        queue_clock::time_point arrived = queue_clock::now()
    );

    /// True while a connection is up, so that numbers can be issued. If only one is, it takes
    /// everything.
    bool connected() const noexcept;

    /// The epoch of the last connection; 0: there was none yet.
    std::int32_t epoch() const noexcept { return life_.first; }

    /// True while both connections are up.
    bool whole() const noexcept;

    /// False while the database cannot answer: no connection is up, nothing that was sent was
    /// answered for a second (idle connections are probed each second), or a COMMIT waits for the
    /// standby.
    bool answers() const noexcept;

    /// True while connections are up but nothing comes back on any of them.
    bool silent() const noexcept;

    /// A look at the database saw a COMMIT that waits for the standby, or saw none.
    void note_standby(bool waits) noexcept { core_.note_standby(waits); }
    bool standby_waits() const noexcept { return core_.standby_waits(); }

    /// True while the database refused all that was sent in the last seconds, for reasons of its
    /// own.
    bool refusing() const noexcept;

    /// False while the database cannot be queried. It can be while COMMITs wait for the standby.
    bool readable() const noexcept { return standby_waits() || (connected() && !silent()); }

    /// Gives back the requests of a series that only wait for a database, with their listeners.
    queue_entries take_waiting(std::int32_t series_id) { return core_.take_waiting(series_id); }

    /// Drops the connections; new ones pass the admission check before a number is issued on them.
    void reconnect(std::string const& why);

    /// Why there is no connection, in words; empty while there is one.
    std::string const& trouble() const noexcept;

    /// True while the database may not issue, because its numbers could be issued a second time.
    bool fenced() const noexcept;

    /// True from such a word of the database until a connection is admitted, also while there is
    /// no connection.
    bool fenced_last() const noexcept { return fenced_last_; }

    /// Why a series is locked, in words; told to its requests at their deadline. Returns false if
    /// it is free by now.
    bool note_blocker(std::int32_t series_id, std::string blocker);

    /// Series that other sessions have locked for longer than a moment.
    std::vector<std::int32_t> locked() const { return core_.locked(); }

    std::size_t waiting() const noexcept { return core_.waiting(); }
    queue_counters const& counters() const noexcept { return counters_; }

private:
    struct side
    {
        connection_kind kind{};
        std::unique_ptr<issue_connection> way;
        std::string trouble{"not connected yet"};  // empty: it is up
        std::string cause;                         // of the trouble, as last logged
        bool fenced{};                             // the trouble is that no number may be issued
    };

    side& of(connection_kind kind) { return sides_[static_cast<std::size_t>(kind)]; }
    side& other_than(connection_kind kind) { return sides_[1 - static_cast<std::size_t>(kind)]; }
    side const& worst() const noexcept;

    std::unique_ptr<issue_connection> make_connection(
        connection_kind kind, issue_connection_settings const& settings
    );
    bool admit(connection_kind kind, std::string const& server);
    void on_connected(connection_kind kind);
    void on_lost(connection_kind kind, std::string why, std::string cause);
    void on_fenced(connection_kind kind, std::string why);
    void on_ended(connection_kind kind, batch_end end);
    void refuse_later(std::unique_ptr<issue_listener> listener, refusal why);
    refusal fence() const;
    bool remember(std::vector<result<issuance>> const& answers);
    void schedule_pump();
    void pump();
    void sweep();
    void run(queue_actions actions);
    void add_noted(batch_to_issue& batch) const;
    void answer(queue_actions::answered_batch& answered);
    void wait_until_due();

    boost::asio::io_context& io_;
    queue_watchers watchers_;
    queue_counters counters_;
    queue_core core_;
    bool pump_scheduled_{};
    bool stopped_{};
    boost::asio::steady_timer sweep_timer_;
    boost::asio::steady_timer due_timer_;
    queue_clock::time_point due_{};  // when due_timer_ fires
    // Since the database last issued: its first and its latest refusal for reasons of its own.
    queue_clock::time_point refused_since_{};
    queue_clock::time_point refused_at_{};
    std::array<side, 2> sides_;
    bool fenced_last_{};
    std::pair<std::int32_t, std::uint32_t> life_{};  // epoch and table of the last connection
};

}  // namespace gapless
