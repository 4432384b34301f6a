#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

using namespace gapless::test;

TEST_SUITE("faults/exhaustion_process")
{
    TEST_CASE_FIXTURE(
        database_bench,
        "an exhausted series names the command, and its block brings it back" *
            doctest::test_suite("night")
    )
    {
        create_series("dhl-paket", {{100, 104}});
        start_instances(1);
        auto shop = client(create_token("shop"));
        CHECK(shop.issue_once({"dhl-paket", "order-1", 3}, 0).status == 201);

        auto const empty = shop.issue_once({"dhl-paket", "order-2", 5}, 0);
        CHECK(empty.status == 409);
        CHECK(empty.problem == "series-exhausted");
        CHECK(empty.executed == "no");
        for (auto const* part :
             {"dhl-paket",
              "has 2 numbers remaining",
              "5 requested",
              "gapless block load dhl-paket"})
        {
            CAPTURE(part);
            CHECK(empty.detail.find(part) != std::string::npos);
        }

        // What is left still leaves, to whom it is enough.
        CHECK(shop.issue_once({"dhl-paket", "order-3", 2}, 0).status == 201);
        CHECK(shop.issue_once({"dhl-paket", "order-4", 1}, 0).problem == "series-exhausted");

        auto const loaded = run_program(
            {.words =
                 {program_path("gapless"), "block", "load", "dhl-paket", "200", "299", "--yes"},
             .environment = {{"GAPLESS_DATABASE_URL", url()}}}
        );
        CAPTURE(loaded.err);
        CHECK(loaded.code == 0);
        auto const again = shop.issue_once({"dhl-paket", "order-2", 5}, 0);
        CHECK(again.status == 201);
        CHECK(again.ranges == std::vector<answered_range>{{again.ranges.at(0).block, 200, 204, 6}});
        CHECK(verdict() == "gapless, clean");
    }
}
