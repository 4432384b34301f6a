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
#include <vector>

namespace gapless {

/// Who is told what happens in the queue; each may be none.
struct queue_watchers
{
    /// What left, before it is answered; when it throws journal_failure, nothing is.
    std::function<void(series_mark const&)> remember{};

    /// What is noted of a series outside the database, whose turn counts in that epoch only: its
    /// batches are compared with it as well.
    std::function<series_mark(std::int32_t series_id, std::int32_t epoch)> noted{};

    /// A series is locked for longer than a moment: somebody may find out by whom, and say it with
    /// note_blocker(). Again every second while it lasts.
    std::function<void(std::int32_t)> locked{};

    /// A series of which `locked` was told issues again, or nobody has asked it to for a minute.
    std::function<void(std::int32_t)> free_again{};

    /// A connection was lost, or stands. Posted: nothing of the queue is under way.
    std::function<void()> connection_changed{};
};

/// Where issue requests wait and how they leave in batches: the shell around queue_core, which
/// decides, with two connections, timers and the journal.
///
/// A lone request leaves at once. With one batch under way the next leaves only when at least as
/// many requests wait as are under way, so batches grow by themselves with load and commit latency.
/// Where few clients wait for long COMMITs, the next batch gathers those who were just answered
/// before it leaves. Requests of one series leave in the order they came.
///
/// While a batch has room, requests of the series whose turn is next join it: many quiet series
/// share the price of a COMMIT. What cannot share one, or may take long, leaves on a connection of
/// its own. A series that other sessions hold backs off alone, until the time of its requests is
/// over.
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

    /// Ends what waits, drops the connections.
    void stop();

    /// Queues a request; its listener is told the outcome once, never from inside this call. It
    /// waits from `arrived` on: of one that was taken out, when it was queued first.
    void submit(
        issue_request request,
        std::unique_ptr<issue_listener> listener,
        queue_clock::time_point arrived = queue_clock::now()
    );

    /// A connection stands: numbers can be issued. While the other one does not it takes
    /// everything.
    bool connected() const noexcept;

    /// Both connections stand.
    bool whole() const noexcept;

    /// False while the database cannot answer: no connection stands, nothing that was sent was
    /// answered for a second (an idle connection is probed each second), or a COMMIT waits for the
    /// standby.
    bool answers() const noexcept;

    /// True while connections stand and nothing comes back on any of them.
    bool silent() const noexcept;

    /// A look at the database saw a COMMIT that waits for the standby, or saw none.
    void note_standby(bool waits) noexcept { core_.note_standby(waits); }
    bool standby_waits() const noexcept { return core_.standby_waits(); }

    /// False while the database cannot be asked anything. One whose COMMITs wait for the standby
    /// can be read.
    bool readable() const noexcept { return standby_waits() || (connected() && !silent()); }

    /// Gives back the requests of a series that wait for nothing but a database, with their
    /// listeners.
    queue_entries take_waiting(std::int32_t series_id) { return core_.take_waiting(series_id); }

    /// Drops the connections; the next ones are looked at anew before a number leaves on them.
    void reconnect(std::string const& why);

    /// Why there is no connection, in words; empty while there is one.
    std::string const& trouble() const noexcept;

    /// True while the database may not issue: its numbers could leave a second time.
    bool fenced() const noexcept;

    /// Why a series is locked, in words; its requests are told when their time is over.
    void note_blocker(std::int32_t series_id, std::string blocker);

    /// Series that other sessions have locked for longer than a moment.
    std::vector<std::int32_t> locked() const { return core_.locked(); }

    std::size_t waiting() const noexcept { return core_.waiting(); }
    queue_counters const& counters() const noexcept { return counters_; }

private:
    struct side
    {
        connection_kind kind{};
        std::unique_ptr<issue_connection> way;
        std::string trouble{"not connected yet"};  // empty: it stands
        std::string cause;                         // of the trouble, as the log was told
        bool fenced{};                             // the trouble is that no number may leave
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
    queue_clock::time_point due_{};  // what due_timer_ waits for
    std::array<side, 2> sides_;
};

}  // namespace gapless
