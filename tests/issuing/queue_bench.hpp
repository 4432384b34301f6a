#pragma once

#include "harness/database.hpp"
#include "harness/text.hpp"
#include "issuing/issue_queue.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gapless::test {

/// What a request asks for, with what a client leaves out left out.
struct wish
{
    std::string key;
    int count{1};
    bool contiguous{};
    std::string reference{};  // empty: none
    int hold_seconds{};       // 0: issued for good
};

/// Wishes for one number each, with the keys name0, name1 …
inline std::vector<wish> single_wishes(std::string const& name, int n)
{
    std::vector<wish> wishes;
    for (int k = 0; k < n; ++k)
        wishes.push_back({name + std::to_string(k)});
    return wishes;
}

/// A database with the series "s", and an issue queue on it that runs in the test's own thread.
/// Outcomes are text: "103-104", "again 103-104", "refused: series-exhausted".
class queue_bench : public database
{
public:
    static constexpr std::chrono::seconds patience{30};

    ~queue_bench()
    {
        for (auto const* each : {&queue_, &other_})
            if (*each)
                (*each)->stop();
        io_.poll();
        for (auto const& asked : asked_)
            CHECK(asked->told <= 1);
    }

    /// Makes the series and the queue, and waits for its connection.
    void begin(std::vector<block_ends> const& blocks, queue_limits const& limits = {})
    {
        series_id_ = create_series("s", blocks);
        begin_at(url(), limits);
        run_until([this] { return queue().whole(); });
    }

    /// Makes the queue on some database, and does not wait.
    void begin_at(std::string const& database_url, queue_limits const& limits)
    {
        queue_ = std::make_unique<issue_queue>(io_, connection_of(database_url), limits, watchers_);
        queue_->start();
    }

    /// Who is told what happens in the queue; before it is made.
    void watch(queue_watchers watchers) { watchers_ = std::move(watchers); }

    /// Another instance's queue on the same database, and waits for its connections.
    void begin_other()
    {
        other_ = std::make_unique<issue_queue>(io_, connection_of(url()), queue_limits{});
        other_->start();
        run_until([this] { return other_->whole(); });
    }

    issue_queue& queue() { return *queue_; }
    queue_counters const& counters() { return queue_->counters(); }
    std::int32_t series_id() const { return series_id_; }
    void set_series_id(std::int32_t id) { series_id_ = id; }

    /// Queues a request; the result names it.
    std::size_t submit(wish const& wanted) { return submit_to(queue(), wanted); }

    /// The same at the other queue.
    std::size_t submit_other(wish const& wanted) { return submit_to(*other_, wanted); }

    std::size_t submit_to(issue_queue& queue, wish const& wanted)
    {
        auto const asked = asked_.emplace_back(std::make_shared<asked_request>());
        issue_request request;
        request.series_id = series_id_;
        request.owner_id = 1;
        request.key = read_idempotency_key(wanted.key).value();
        request.count = wanted.count;
        request.contiguous = wanted.contiguous;
        if (!wanted.reference.empty())
            request.reference = wanted.reference;
        if (wanted.hold_seconds > 0)
            request.hold_seconds = wanted.hold_seconds;
        queue.submit(std::move(request), std::make_unique<listener>(asked));
        return asked_.size() - 1;
    }

    /// Runs the queue until that request has its outcome.
    std::string outcome(std::size_t asked)
    {
        run_until([&] { return asked_[asked]->outcome.has_value(); });
        return *asked_[asked]->outcome;
    }

    bool has_outcome(std::size_t asked) const { return asked_[asked]->outcome.has_value(); }

    /// The outcomes of requests queued together, joined by ", ".
    std::string issue(std::vector<wish> const& wishes)
    {
        std::vector<std::size_t> all;
        for (auto const& wanted : wishes)
            all.push_back(submit(wanted));
        std::string line;
        for (auto const one : all)
            line += (line.empty() ? "" : ", ") + outcome(one);
        return line;
    }

    template <class Condition>
    void run_until(Condition const& condition, std::chrono::seconds most = patience)
    {
        auto const deadline = std::chrono::steady_clock::now() + most;
        while (!condition())
        {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            io_.run_one_for(std::chrono::milliseconds{5});
        }
    }

    /// Runs everything that is ready, without waiting for anything.
    void run_ready()
    {
        while (io_.poll() > 0)
            ;
    }

    /// Waits until the queue's backend waits for a lock, and returns its process id.
    std::string blocked_backend()
    {
        std::string pid;
        run_until([&] {
            pid = run("select min(pid) from pg_stat_activity where application_name = 'gaplessd'"
                      " and datname = current_database() and wait_event_type = 'Lock'");
            return pid != "null";
        });
        return pid;
    }

private:
    /// The shared server may run without fsync.
    static issue_connection_settings connection_of(std::string const& database_url)
    {
        return {.database_url = database_url, .accept_risk = true};
    }

    struct asked_request
    {
        std::optional<std::string> outcome;
        int told{};
    };

    struct listener : issue_listener
    {
        explicit listener(std::shared_ptr<asked_request> a) : asked{std::move(a)} {}

        void ended(result<issuance> got) override
        {
            ++asked->told;
            asked->outcome =
                (got.has_value() && got->replayed ? got->in_doubt ? "again? " : "again " : "") +
                text(got);
        }

        std::shared_ptr<asked_request> asked;
    };

    boost::asio::io_context io_;
    queue_watchers watchers_;
    std::unique_ptr<issue_queue> queue_;
    std::unique_ptr<issue_queue> other_;
    std::int32_t series_id_{};
    std::vector<std::shared_ptr<asked_request>> asked_;
};

/// Holds up every COMMIT of the ledger, with its batch, until it lets them go.
class commit_holder
{
public:
    explicit commit_holder(database& held)
    {
        // Without the connection's bound on waits for locks, and its look for a client that has
        // gone.
        held.run("create or replace function wait_at_commit() returns trigger language plpgsql"
                 " set lock_timeout = 0 set client_connection_check_interval = 0 as"
                 " $$ begin perform pg_advisory_xact_lock_shared(42); return null; end $$;"
                 "create constraint trigger held_up after insert on gapless.ledger"
                 " deferrable initially deferred for each row execute function wait_at_commit()");
        lock_.emplace(held.url(), "select pg_advisory_xact_lock(42)");
    }

    void release() { lock_->roll_back(); }

private:
    std::optional<open_transaction> lock_;
};

/// Somebody else's transaction that holds the counter rows until it is released.
class row_holder
{
public:
    /// Of one series, or of all.
    explicit row_holder(database& held, std::int32_t series_id = 0)
        : rows_{
              held.url(),
              "set local application_name = 'a long transaction';"
              "select * from gapless.counter where series_id = " +
                  std::to_string(series_id) + " or " + std::to_string(series_id) +
                  " = 0 for update"}
    {
    }

    void release() { rows_.roll_back(); }

private:
    open_transaction rows_;
};

}  // namespace gapless::test
