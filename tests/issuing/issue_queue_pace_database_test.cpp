#include "issuing/queue_bench.hpp"

#include <string>
#include <vector>

using namespace gapless;
using test::commit_holder;
using test::queue_bench;
using test::single_wishes;

TEST_SUITE("service/issue_queue_pace")
{
    TEST_CASE_FIXTURE(
        queue_bench, "beside two long COMMITs whatever comes waits, and leaves in one batch"
    )
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        auto const before = counters().batches;
        commit_holder holder{*this};

        for (auto const& wanted : single_wishes("first", 3))
            submit(wanted);
        run_ready();
        CHECK(counters().batches == before + 1);
        submit({"too few 1"});
        submit({"too few 2"});
        run_ready();
        CHECK(counters().batches == before + 1);
        CHECK(queue().waiting() == 2);
        submit({"now as many"});
        run_ready();
        CHECK(counters().batches == before + 2);

        // Two are in flight; whatever comes now waits for one of them to end, and then leaves in
        // one.
        auto last = std::size_t{};
        for (auto const& wanted : single_wishes("later", 20))
            last = submit(wanted);
        run_ready();
        CHECK(counters().batches == before + 2);
        CHECK(queue().waiting() == 20);
        holder.release();
        CHECK(outcome(last) == "126-126");
        CHECK(counters().batches == before + 3);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "after a long COMMIT the next batch gathers who was answered")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        auto const before = counters().batches;
        commit_holder holder{*this};

        std::size_t first{};
        for (auto const& wanted : single_wishes("first", 3))
            first = submit(wanted);
        run_ready();
        submit({"too few to leave"});
        holder.release();
        CHECK(outcome(first) == "103-103");
        CHECK(queue().waiting() == 1);  // and has not left alone
        std::size_t last{};
        for (auto const& wanted : single_wishes("again", 3))
            last = submit(wanted);
        CHECK(outcome(last) == "107-107");
        CHECK(counters().batches == before + 2);

        // Those who do not come back are not waited for.
        CHECK(issue({{"alone"}}) == "108-108");
        CHECK(counters().batches == before + 3);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "a batch is no larger than its limit")
    {
        begin({{100, 199}}, {.batch_requests_max = 4});
        issue({{"opens the block"}});
        auto const before = counters().batches;

        issue(single_wishes("a", 10));
        CHECK(counters().batches == before + 3);
        CHECK(verify() == "gapless");
    }
}
