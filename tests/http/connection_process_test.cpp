#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

namespace connection_test {

using namespace gapless::test;

TEST_SUITE("http/connection_process")
{
    TEST_CASE_FIXTURE(
        database_bench, "a replay is the same to the byte, from any instance and after a restart"
    )
    {
        create_series("s", {{100, 109}, {1'000, 99'999}});
        start_instances(2);
        auto shop = client(create_token("shop"));
        auto const first = shop.issue_once({"s", "order-1", 25}, 0);
        CHECK(first.ranges.size() == 2);
        CHECK_FALSE(first.replayed);
        auto const other = shop.issue_once({"s", "order-1", 25}, 1);
        CHECK(other.replayed);
        CHECK(other.body == first.body);

        kill_and_restart(0);
        auto const again = shop.issue_once({"s", "order-1", 25}, 0);
        CHECK(again.replayed);
        CHECK(again.body == first.body);
        CHECK(verdict() == "gapless, clean");
    }
}

}  // namespace connection_test
