#include "issuing/queue_bench.hpp"
#include "postgres/query.hpp"

#include <numeric>

using namespace gapless;
using test::commit_holder;
using test::queue_bench;
using test::single_wishes;

TEST_SUITE("issuing/issue_queue_database")
{
    TEST_CASE_FIXTURE(
        queue_bench, "what arrives together leaves in one batch, in the order it came"
    )
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        auto const before = counters().batches;

        CHECK(issue({{"a"}, {"b", 2}, {"c"}, {"d", 5}}) == "101-101, 102-103, 104-104, 105-109");
        CHECK(counters().batches == before + 1);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "numbers are counted once, replays and refusals apart")
    {
        begin({{100, 109}});
        CHECK(issue({{"a", 3}, {"b", 2}}) == "100-102, 103-104");
        CHECK(counters().numbers == 5);
        CHECK(counters().replays == 0);
        CHECK(issue({{"a", 3}}) == "again 100-102");
        CHECK(issue({{"c", 100}}) == "refused: series-exhausted");
        CHECK(counters().numbers == 5);
        CHECK(counters().replays == 1);
        auto const& counts = counters().durations.counts;
        CHECK(std::accumulate(counts.begin(), counts.end(), std::uint64_t{}) == 4);
        CHECK(counters().durations.sum.count() > 0);
    }

    TEST_CASE_FIXTURE(queue_bench, "beyond its limit the queue refuses at once, and took nothing")
    {
        begin({{100, 199}}, {.requests_max = 3, .batches_in_flight_max = 1});
        issue({{"opens the block"}});
        commit_holder holder{*this};
        auto const under_way = submit({"under way"});
        run_ready();
        std::vector<std::size_t> waiting;
        for (auto const& wanted : single_wishes("waits", 3))
            waiting.push_back(submit(wanted));

        auto const refused = submit({"refused"});
        CHECK_FALSE(has_outcome(refused));  // never from inside submit
        run_ready();
        REQUIRE(has_outcome(refused));
        CHECK(outcome(refused) == "refused: overloaded");
        CHECK(counters().refused_overloaded == 1);

        holder.release();
        CHECK(outcome(under_way) == "101-101");
        CHECK(outcome(waiting.back()) == "104-104");
        CHECK(issue({{"refused"}}) == "105-105");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        queue_bench, "who would have to wait too long is refused at once, and took nothing"
    )
    {
        using namespace std::chrono_literals;
        begin(
            {{100, 199}},
            {.queue_time_max = 100ms, .batches_in_flight_max = 1, .batch_requests_max = 2}
        );
        issue({{"opens the block"}});
        run("create function wait_a_while() returns trigger language plpgsql as"
            " $$ begin perform pg_sleep(0.3); return null; end $$;"
            "create trigger slow after insert on gapless.ledger"
            " for each statement execute function wait_a_while()");
        CHECK(issue({{"slow 1"}}) == "101-101");

        // A short queue is taken, however slow the last batch was.
        auto const under_way = submit({"under way"});
        run_ready();
        submit({"waits 0"});
        auto const waiting = submit({"waits 1"});
        CHECK(issue({{"refused"}}) == "refused: overloaded");
        CHECK(counters().refused_overloaded == 1);
        CHECK_FALSE(has_outcome(under_way));
        CHECK(outcome(waiting) == "104-104");

        run("drop trigger slow on gapless.ledger");
        for (int k = 0; k < 20; ++k)
            issue({{"fast again " + std::to_string(k)}});
        CHECK(issue(single_wishes("many", 6)).ends_with("130-130"));
        CHECK(counters().refused_overloaded == 1);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "a replay in a batch takes nothing and hurts no neighbour")
    {
        begin({{100, 199}});
        issue({{"a", 3}});

        CHECK(issue({{"b"}, {"a", 3}, {"c"}}) == "103-103, again 100-102, 104-104");
        CHECK(
            issue({{"d"}, {"a", 4}, {"e"}}) == "105-105, refused: idempotency-key-reused, 106-106"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        queue_bench, "a request for one piece is refused where the block is too short"
    )
    {
        begin({{100, 102}, {200, 299}});

        CHECK(
            issue({{"a"}, {"b", 3, true}, {"c", 2, true}}) ==
            "100-100, refused: not-contiguous, 101-102"
        );
        CHECK(issue({{"b", 3, true}}) == "200-202");
        CHECK(verify() == "gapless");
    }
}
