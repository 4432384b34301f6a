#pragma once

#include "issuing/issue_queue.hpp"
#include "reserve/journal_writer.hpp"
#include "reserve/outage_sums.hpp"
#include "reserve/reserve_core.hpp"

#include <boost/asio/io_context.hpp>

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace gapless {

/// Both clocks, now.
reserve_time reserve_now() noexcept;

/// The entry for issue requests when there are reserves: hands them to the queue, which asks the
/// database, or draws for them while the database cannot answer. Remembers which keys are in doubt
/// and the answers given. I/O thread only.
class reserve_router
{
public:
    /// The references must outlive it.
    reserve_router(boost::asio::io_context& io, issue_queue& queue, reserve_core& core)
        : io_{io},
          queue_{queue},
          core_{core}
    {
    }

    /// Remembers from now on which keys were answered, although no series has a reserve yet: once
    /// one has, these keys must not be drawn for.
    void remember() noexcept { remembers_ = true; }

    /// Draws with this journal from now on, or stops drawing if it is null.
    void use(std::shared_ptr<journal_writer> writer);

    /// The callback to give the writer: hands on to the I/O thread. The router must outlive the
    /// writer.
    journal_writer::flushed flushed_callback();

    /// Takes one issue request; its listener is told once, never from inside this call.
    void issue(issue_request request, std::unique_ptr<issue_listener> listener);

    /// Answers of earlier processes that are not settled yet. Until then a client that repeats such
    /// a key gets outcome_unknown, since the database would issue anew. Adds to the earlier ones.
    using earlier_keys = std::set<std::pair<std::int32_t, idempotency_key>>;
    void hold_back(earlier_keys keys) { earlier_.merge(keys); }
    void let_go() noexcept { earlier_.clear(); }
    void let_go(earlier_keys::value_type const& recorded) { earlier_.erase(recorded); }

    /// Draws for requests in the queue that only wait for a database. Call it regularly, and at
    /// once when an issue connection is lost.
    void take_waiting();

    /// Tells those who wait for the journal since before that moment that their outcome is unknown.
    /// Their answers count once they are on the disk.
    void give_up_before(queue_clock::time_point moment);

    /// Whether the database cannot answer for this series: it is down, silent, or there is a drill.
    bool is_cut(std::int32_t series_id) const;

    /// Whether a request for a number of this series would be served from its reserve right now.
    bool serves(std::int32_t series_id) const;

    /// Sets the series that do without the database, for a drill.
    void practise(std::set<std::int32_t> series) { practising_ = std::move(series); }

    bool practises(std::int32_t series_id) const { return practising_.contains(series_id); }

    outages_by_series& outages() noexcept { return outages_; }

    /// Requests answered from a reserve since the start.
    std::uint64_t answers() const noexcept { return answers_; }

private:
    class tracked_request;

    /// An answer that waits for the journal.
    struct waiting_answer
    {
        std::uint64_t record{};                    // as the writer counts
        std::uint64_t sequence{};                  // of its record
        std::unique_ptr<issue_listener> listener;  // null: was told that nothing is known
        issuance answer;
        queue_clock::time_point drawn{};
    };

    void ask_database(
        issue_request request,
        std::unique_ptr<issue_listener> listener,
        queue_clock::time_point arrived = queue_clock::now()
    );
    void tell_unknown(waiting_answer& left, std::string why);
    bool draw(issue_request const& request, std::unique_ptr<issue_listener>& listener);
    void tell_later(std::unique_ptr<issue_listener> listener, result<issuance> outcome);
    void on_flushed(std::uint64_t upto, std::string const& failure);
    void note_ended(issue_request const& asked, result<issuance> const& outcome);

    boost::asio::io_context& io_;
    issue_queue& queue_;
    reserve_core& core_;
    bool remembers_{};                        // false: there will be no reserve
    std::shared_ptr<journal_writer> writer_;  // null: nothing is drawn
    std::deque<waiting_answer> waiting_;
    std::uint64_t last_record_{};
    earlier_keys earlier_;
    std::set<std::int32_t> practising_;
    outages_by_series outages_;
    std::uint64_t answers_{};
};

}  // namespace gapless
