#pragma once

#include "service/figures.hpp"
#include "service/numbering.hpp"
#include "store/lane.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace gapless {

/// How patient and how large the queue is; each is a setting of gaplessd.
struct queue_limits
{
    std::size_t requests_max{20'000};               // waiting, over all series; beyond: overloaded
    std::chrono::milliseconds queue_wait_max{500};  // foreseen for one more; beyond: overloaded
    std::size_t batches_in_flight_max{2};           // on the lane
    std::size_t batch_requests_max{128};            // in one transaction
    std::chrono::milliseconds wait_max{10'000};     // from arrival to answer
    std::chrono::milliseconds unavailable_wait_max{500};  // while there is no database
    int conflicts_max{8};  // before a request that nothing happened to is given up
};

/// Where issue requests wait and how they leave in batches.
///
/// A lone request leaves at once. With one batch under way the next leaves only when at least as
/// many requests wait as are under way, so batches grow by themselves with load and commit latency.
/// Where few clients wait for long COMMITs, the next batch gathers those who were just answered
/// before it leaves. Requests of one series leave in the order they came.
///
/// While a batch has room, requests of the series whose turn is next join it: many quiet series
/// share the price of a COMMIT.
///
/// A batch goes the fast way first (plain, new, fitting); whatever comes back as not plain goes
/// again with its keys looked up. When a connection is lost, the batches under way are sent again
/// with their keys looked up: the unique key tells whether they had happened. A request whose fate
/// is still open at its deadline ends as outcome_unknown, one that certainly did not happen as
/// database_unavailable or overloaded.
///
/// Who would have to wait too long is refused at once instead: how long is foreseen from the number
/// of batches ahead and from how long the last ones took.
///
/// Lives on the I/O thread.
class issue_queue
{
public:
    /// `remember` is told what left before it is answered; when it throws journal_failure, nothing
    /// is.
    issue_queue(
        boost::asio::io_context& io,
        boost::asio::thread_pool& connectors,
        lane_settings settings,
        queue_limits limits,
        std::function<void(series_mark const&)> remember = {}
    );
    ~issue_queue();
    issue_queue(issue_queue const&) = delete;
    issue_queue& operator=(issue_queue const&) = delete;

    void start();

    /// Ends what waits, drops the connection.
    void stop();

    /// Queues a request; its listener is told the outcome once, never from inside this call.
    void submit(issue_request request, std::unique_ptr<issue_listener> listener);

    bool connected() const noexcept { return lane_.connected(); }

    /// Drops the connection; the next one is looked at anew before a number leaves on it.
    void reconnect(std::string const& why) { lane_.drop(why); }

    /// Why there is no connection, in words; empty while there is one.
    std::string const& trouble() const noexcept { return trouble_; }

    /// True while the database may not issue: its numbers could leave a second time.
    bool fenced() const noexcept { return fenced_; }

    std::size_t waiting() const noexcept { return waiting_; }
    queue_counters const& counters() const noexcept { return counters_; }

private:
    using clock = std::chrono::steady_clock;

    struct entry
    {
        issue_request request;
        std::unique_ptr<issue_listener> listener;  // null: answered already, at its deadline
        clock::time_point arrived;
        int conflicts{};
        bool look_up{};    // only the complete path can serve it
        bool alone{};      // was in a batch of several series of which one was not plain
        bool uncertain{};  // was in a batch whose end is not known
    };

    struct series_line
    {
        std::deque<std::unique_ptr<entry>> entries;
        int look_ups{};    // keys come again at present: batches to look them up in at once
        bool scheduled{};  // is in turns_
    };

    struct flight
    {
        std::uint64_t id{};
        bool look_up{};
        bool several{};  // series; the entries of each side by side
        clock::time_point sent;
        std::vector<std::unique_ptr<entry>> entries;
    };

    bool takes_one_more() const;
    void note_pace(flight const& done);
    void expect_back(flight const& answered);
    void note_replays(flight const& done, bool replayed);
    void schedule_pump();
    void pump();
    void send_next();
    void take_turn(flight& leaving);
    bool leaves_alone(series_line const& line) const;
    void on_ended(batch_end end);
    void answer(flight& done, std::vector<result<issuance>>& answers);
    bool remember(std::vector<result<issuance>> const& answers);
    refusal fence() const;
    void on_fenced(std::string why);
    void refuse_fenced(std::unique_ptr<entry> refused);
    void send_again(flight back);
    void send_alone(flight back);
    void on_conflict(flight back);
    void end(entry& ended, result<issuance> outcome, clock::time_point now);
    void sweep();
    void take_late(
        series_line& line, clock::time_point now, std::vector<std::unique_ptr<entry>>& leaving
    );
    refusal late(entry const& waiting) const;

    boost::asio::io_context& io_;
    queue_limits limits_;
    std::unordered_map<std::int32_t, series_line> lines_;
    std::deque<std::int32_t> turns_;  // series with waiting requests, in the order of their turns
    std::deque<flight> flights_;      // on the lane, oldest first
    std::size_t waiting_{};
    std::size_t under_way_{};  // requests in flights_
    std::uint64_t next_id_{1};
    bool pump_scheduled_{};
    bool stopped_{};
    clock::time_point paused_until_{};  // after a conflict
    clock::time_point last_done_{};
    clock::duration batch_time_{};  // of late, from one batch that is done to the next
    std::size_t crowd_{};           // the most requests of late that were not answered at once
    std::size_t gather_{};          // as many are waited for before the next batch leaves
    std::string trouble_{"not connected yet"};
    bool fenced_{};  // trouble_ is that no number may leave
    queue_counters counters_;
    boost::asio::steady_timer sweep_timer_;
    boost::asio::steady_timer pause_timer_;
    boost::asio::steady_timer gather_timer_;
    std::function<void(series_mark const&)> remember_;  // what left, before it is answered
    lane lane_;
};

}  // namespace gapless
