#pragma once

#include "issuing/answered_marks.hpp"
#include "issuing/issue_connection.hpp"
#include "issuing/queue_figures.hpp"
#include "issuing/queue_lines.hpp"
#include "issuing/queue_pace.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace gapless {

/// How patient and how large the queue is; each value is a setting of gaplessd.
struct queue_limits
{
    std::size_t requests_max{20'000};  // waiting, over all series, which share them; beyond:
                                       // overloaded
    std::chrono::milliseconds queue_time_max{500};     // estimated for one more; beyond: overloaded
    std::size_t batches_in_flight_max{2};              // on each connection
    std::size_t batch_requests_max{128};               // in one transaction
    std::chrono::milliseconds issue_time_max{10'000};  // from arrival to answer
    std::chrono::milliseconds unavailable_time_max{500};  // while no connection is up; not before
                                                          // the first one is up or failed
    int conflicts_max{8};  // before a request that did not happen is given up
    back_off locked{};
};

/// What the queue wants done, in this order.
struct queue_actions
{
    struct send
    {
        connection_kind connection{};
        batch_to_issue batch;
    };

    struct answered_batch
    {
        queue_entries entries;  // without a listener: answered before
        std::vector<result<issuance>> answers;
    };

    struct refused_request
    {
        std::unique_ptr<issue_listener> listener;
        refusal why;
    };

    std::vector<send> sends;
    std::vector<answered_batch> answers;
    std::vector<refused_request> refusals;
    std::vector<connection_kind>
        probes;  // idle connections to ask whether the database still answers
    std::vector<connection_kind> stuck;  // connections to drop: a batch, or a probe, takes too long
    std::vector<std::int32_t> locked;    // series that somebody holds: find out who
    std::vector<std::int32_t> free_again;  // of those reported in `locked`
    std::string accused{};  // why to fence the database: it contradicts earlier answers
};

/// Decides in the issue queue: which requests are admitted, when and on which connection they are
/// sent, what becomes of them, which have waited too long. Events and the time go in, actions come
/// out; no I/O, no timers.
///
/// The batches of a series are on one connection at a time. The quick connection takes plain
/// requests, of several series at once. The patient connection takes keys to look up, holds, series
/// that other sessions have locked or other instances issue from, and requests that could not be
/// issued with others. A series that is blocked rests alone. While only one connection is up, it
/// takes everything.
class queue_core
{
public:
    using time = queue_clock::time_point;

    /// `dice` gives random values from 0 to 1, so that instances do not retry in step.
    queue_core(queue_limits limits, queue_counters& counters, std::function<double()> dice)
        : limits_{limits},
          counters_{counters},
          dice_{std::move(dice)}
    {
    }

    /// Queues a request and leaves `entry` empty, or leaves `entry` as it is and returns why not.
    std::optional<refusal> arrive(std::unique_ptr<queue_entry>& entry);

    /// Sends every batch that is ready.
    void pump(time now, queue_actions& actions);

    void end_batch(batch_end end, time now, queue_actions& actions);

    /// A probe was answered.
    void end_probe(connection_kind connection, time now);

    /// Ends requests past their deadline, probes idle connections, finds connections that are stuck
    /// and series that stay locked.
    void sweep(time now, queue_actions& actions);

    /// A connection is about to come up, to a server with this identity.
    void know(std::string const& server, admitted_database const& found)
    {
        marks_.connect(server, found);
    }

    /// A connection is up.
    void connect(connection_kind connection);

    /// A connection was lost or could not be set up; its batches end as unknown next.
    void lose(connection_kind connection, std::string why);

    /// Refuses every waiting request whose first try certainly did not happen.
    void refuse_all(refusal const& why, time now, queue_actions& actions);

    /// Ends every waiting request; no more are accepted.
    void stop(time now, queue_actions& actions);

    /// Takes those requests of a series out of its line that certainly did not happen and only wait
    /// for a database (may_be_drawn()).
    queue_entries take_waiting(std::int32_t series_id);

    /// False while the database cannot answer: a COMMIT waits for the standby, no connection is up,
    /// or none of those with batches under way has ended one, or begun one, within `patience`. If
    /// all are idle, see is_silent().
    bool answers(time now, queue_clock::duration patience) const noexcept;

    /// True while connections are up but none of them has had an answer to anything within
    /// `patience`.
    bool is_silent(time now, queue_clock::duration patience) const noexcept;

    /// Tells whether a COMMIT was seen to wait for the standby: any new one would wait behind it.
    void note_standby(bool waits) noexcept { standby_waits_ = waits; }
    bool standby_waits() const noexcept { return standby_waits_; }

    /// Sets why a series is locked, in words, and the way out. Returns false if it is free by now.
    bool note_blocker(std::int32_t series_id, std::string blocker)
    {
        auto& line = lines_[series_id];
        if (line.locked_since)
            line.blocker = std::move(blocker);
        return line.locked_since.has_value();
    }

    /// When to pump again although nothing happens; none: never.
    std::optional<time> due() const;

    bool stands(connection_kind connection) const noexcept { return of(connection).stands; }
    std::size_t waiting() const noexcept { return lines_.waiting(); }

    /// Series that have been locked for more than a moment.
    std::vector<std::int32_t> locked() const { return locked_; }

private:
    struct flight
    {
        std::uint64_t id{};
        bool look_up{};
        bool several{};  // several series, each one's entries adjacent
        time sent;
        queue_entries entries;
    };

    struct connection_state
    {
        bool stands{};
        time heard{};                // a batch or probe ended, or it connected
        std::optional<time> probed;  // when the probe under way was sent
        bool took_whole{};           // the latest batch was a full one of one series
        std::deque<flight> flights;  // oldest first
        std::size_t under_way{};     // requests in them
        queue_pace pace;

        /// When the oldest unanswered batch or probe was sent; none: nothing is under way.
        std::optional<time> waits_since() const
        {
            if (flights.empty() || (probed && *probed < flights.front().sent))
                return probed;
            return flights.front().sent;
        }

        /// Nothing was heard for `patience` although something is under way.
        bool is_mute(time now, queue_clock::duration patience) const
        {
            auto const since = waits_since();
            return since && now - std::max(heard, *since) >= patience;
        }
    };

    connection_state& of(connection_kind connection)
    {
        return connections_[static_cast<std::size_t>(connection)];
    }
    connection_state const& of(connection_kind connection) const
    {
        return connections_[static_cast<std::size_t>(connection)];
    }

    // Which requests are admitted, and which are sent.
    bool takes_one_more(std::int32_t series_id);
    bool wants_patience(series_line const& line, time now) const;
    connection_kind connection_for(series_line const& line, time now) const;
    void schedule(std::int32_t series_id, time now);
    void schedule_anew(time now);
    bool may_send(connection_kind connection, time now) const;
    bool send_next(connection_kind connection, time now, queue_actions& actions);
    void fill(flight& leaving, connection_kind connection, time now);
    batch_to_issue to_batch(flight const& leaving, time now);

    // What happens to a batch.
    flight take_flight(std::uint64_t id, connection_kind& connection);
    void on_done(
        connection_kind connection, flight done, batch_end end, time now, queue_actions& actions
    );
    void count_answers(queue_actions::answered_batch const& answered, time now);
    void put_back_left_out(flight& done, batch_end& end);
    void on_not_plain(flight back);
    void on_conflict(flight back, bool contested, time now, queue_actions& actions);
    void on_locked(flight back, time now);
    void on_failed(flight back, batch_end const& end, time now, queue_actions& actions);
    void on_unknown(flight back);
    void put_back(flight& back);
    void schedule_all(std::vector<std::int32_t> const& series, time now);
    void note_replays(flight const& done, bool replayed);
    void note_free(std::int32_t series_id, queue_actions& actions);
    void refuse(queue_entry& entry, refusal why, time now, queue_actions& actions);
    refusal late(queue_entry const& waiting);

    // Deadlines.
    void end_waiting(time now, queue_actions& actions);
    void end_under_way(flight& sent, time now, queue_actions& actions);
    void probe_idle(time now, queue_actions& actions);
    void find_stuck(time now, queue_actions& actions);
    void find_locked(time now, queue_actions& actions);

    queue_limits limits_;
    queue_counters& counters_;
    std::function<double()> dice_;
    queue_lines lines_;
    answered_marks marks_;
    std::array<connection_state, 2> connections_;
    std::string trouble_{"not connected yet"};  // why the last lost connection is down
    std::vector<std::int32_t> locked_;
    std::uint64_t next_id_{1};
    std::uint64_t next_place_{1};
    time now_{};
    bool begins_{
        true};  // no connection stood or was lost: whether there is a database nobody knows yet
    bool standby_waits_{};
    bool stopped_{};
};

}  // namespace gapless
