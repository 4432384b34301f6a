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

/// How patient and how large the queue is; each is a setting of gaplessd.
struct queue_limits
{
    std::size_t requests_max{20'000};  // waiting, over all series and shared by them; beyond:
                                       // overloaded
    std::chrono::milliseconds queue_time_max{500};     // foreseen for one more; beyond: overloaded
    std::size_t batches_in_flight_max{2};              // on each connection
    std::size_t batch_requests_max{128};               // in one transaction
    std::chrono::milliseconds issue_time_max{10'000};  // from arrival to answer
    std::chrono::milliseconds unavailable_time_max{500};  // while there is no database; not before
                                                          // the first connection stands or fails
    int conflicts_max{8};  // before a request that nothing happened to is given up
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
        queue_entries entries;  // those without a listener were answered before
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
    std::vector<std::int32_t> free_again;  // series of which that was asked
    std::string accused{};  // why to fence the database: it contradicts what was answered
};

/// What decides in the issue queue: who is let in, whose requests leave when and on which
/// connection, what becomes of them, who waited too long. Events and the time go in, actions come
/// out; no I/O, no timer.
///
/// A series has its batches on one connection at a time. The quick connection takes what is plain,
/// of several series at once. The patient connection takes what has to be looked up, holds, series
/// that other sessions have locked or other instances issue from, and what could not be issued with
/// others. A series that cannot move rests alone. While only one connection stands it takes
/// everything.
class queue_core
{
public:
    using time = queue_clock::time_point;

    /// `dice` gives random values from 0 to 1, so that instances do not meet again in step.
    queue_core(queue_limits limits, queue_counters& counters, std::function<double()> dice)
        : limits_{limits},
          counters_{counters},
          dice_{std::move(dice)}
    {
    }

    /// Queues a request and leaves `entry` empty, or leaves it as it is and says why not.
    std::optional<refusal> arrive(std::unique_ptr<queue_entry>& entry);

    /// Whatever may leave now leaves.
    void pump(time now, queue_actions& actions);

    void end_batch(batch_end end, time now, queue_actions& actions);

    /// A probe was answered.
    void end_probe(connection_kind connection, time now);

    /// Ends requests whose time is over, has idle connections probed, finds connections that are
    /// stuck and series that stay locked.
    void sweep(time now, queue_actions& actions);

    /// A connection is about to stand, on a server with this identity.
    void know(std::string const& server, admitted_database const& found)
    {
        marks_.connect(server, found);
    }

    /// A connection stands.
    void connect(connection_kind connection);

    /// A connection does not stand; its batches end as unknown next.
    void lose(connection_kind connection, std::string why);

    /// Refuses all that wait, but for those whose first try may have happened.
    void refuse_all(refusal const& why, time now, queue_actions& actions);

    /// Ends all that wait; nothing is taken any more.
    void stop(time now, queue_actions& actions);

    /// Takes the requests of a series out of its line that certainly did not happen and wait for
    /// nothing but a database (may_be_drawn()).
    queue_entries take_waiting(std::int32_t series_id);

    /// False while the database cannot answer: a COMMIT waits for the standby, no connection
    /// stands, or of those with batches under way none has ended one, or begun one, for `patience`;
    /// where all are idle: is_silent().
    bool answers(time now, queue_clock::duration patience) const noexcept;

    /// True while connections stand and nothing that was sent on any of them was answered for
    /// `patience`.
    bool is_silent(time now, queue_clock::duration patience) const noexcept;

    /// Whether a COMMIT was seen to wait for the standby: what is sent now would wait behind it.
    void note_standby(bool waits) noexcept { standby_waits_ = waits; }
    bool standby_waits() const noexcept { return standby_waits_; }

    /// Why a series is locked, in words, and the way out.
    void note_blocker(std::int32_t series_id, std::string blocker);

    /// When to pump again although nothing happens; none: never.
    std::optional<time> due() const;

    bool stands(connection_kind connection) const noexcept { return of(connection).stands; }
    std::size_t waiting() const noexcept { return lines_.waiting(); }

    /// Series that are locked for longer than a moment.
    std::vector<std::int32_t> locked() const { return locked_; }

private:
    struct flight
    {
        std::uint64_t id{};
        bool look_up{};
        bool several{};  // series; the entries of each side by side
        time sent;
        queue_entries entries;
    };

    struct connection_state
    {
        bool stands{};
        time heard{};                // a batch or probe ended, or it was connected
        std::optional<time> probed;  // when the probe under way was sent
        bool took_whole{};           // the latest batch was a full one of one series
        std::deque<flight> flights;  // oldest first
        std::size_t under_way{};     // requests in them
        queue_pace pace;

        /// When the oldest that is not answered was sent; none: nothing is under way.
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

    // Who is let in, who leaves.
    bool takes_one_more(std::int32_t series_id);
    bool wants_patience(series_line const& line, time now) const;
    connection_kind connection_for(series_line const& line, time now) const;
    void schedule(std::int32_t series_id, time now);
    void schedule_anew(time now);
    bool may_send(connection_kind connection, time now) const;
    bool send_next(connection_kind connection, time now, queue_actions& actions);
    void fill(flight& leaving, connection_kind connection, time now);
    batch_to_issue to_batch(flight const& leaving, time now);

    // What becomes of a batch.
    flight take_flight(std::uint64_t id, connection_kind& connection);
    void on_done(
        connection_kind connection, flight done, batch_end end, time now, queue_actions& actions
    );
    void count_answers(queue_actions::answered_batch const& answered, time now);
    void put_back_left_out(flight& done, batch_end& end);
    void on_not_plain(flight back);
    void on_conflict(flight back, bool contested, time now, queue_actions& actions);
    void on_locked(flight back, time now);
    void on_failed(flight back, refusal const& why, time now, queue_actions& actions);
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
    std::string trouble_{"not connected yet"};  // why the connection lost last does not stand
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
