#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

using namespace gapless::test;

TEST_SUITE("proof/verdict_process")
{
    TEST_CASE_FIXTURE(
        database_bench,
        "an answer that the ledger does not hold is found" * doctest::test_suite("night")
    )
    {
        create_series("s", {{1, 9}});
        start_instances(1);
        auto answered = client(create_token("shop")).issue_once({"s", "order-1", 2}, 0);
        CHECK(verdict() == "gapless, clean");

        answered.key = "order-2";
        for (auto& range : answered.ranges)
            range = {range.block, range.first + 2, range.last + 2, range.ordinal + 2};
        seen().add(answered);
        CHECK(verdict().starts_with("rule 3: key order-2 of shop was answered"));
    }
}
