#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

namespace connection_test {

using namespace gapless::test;

constexpr int hasty_clients = 10;

struct connection_bench : database_bench
{
    connection_bench()
    {
        create_series("s", {{100, 109}, {1'000, 99'999}});
        start_instances(1);
    }
};

TEST_SUITE("process/connection")
{
    TEST_CASE_FIXTURE(
        connection_bench, "a client that leaves right after sending finds its numbers under its key"
    )
    {
        auto const shop = create_token("shop");
        auto sender = client(shop);
        CHECK(sender.issue_once({"s", "warms-up", 1}, 0).status == 201);
        for (int n = 0; n < hasty_clients; ++n)
        {
            http_client hasty{addresses().address(0)};
            REQUIRE(hasty.connect());
            attempt sent;
            sent.client = "shop";
            sent.series = "s";
            sent.key = "order-" + std::to_string(n);
            sent.count = 3;
            sent.sent_at = wall_clock();
            sent.started = now();
            REQUIRE(hasty.send(hasty.to_bytes(sender.to_request({"s", sent.key, 3}))));
            hasty.close();
            sent.ended = now();
            seen().add(sent);
        }
        CHECK(eventually([&] {
            return run("select count(*) from gapless.ledger where key is not null") ==
                   std::to_string(hasty_clients + 1);
        }));

        for (int n = 0; n < hasty_clients; ++n)
        {
            auto const again = sender.issue_once({"s", "order-" + std::to_string(n), 3}, 0);
            CHECK(again.status == 201);
            CHECK(again.replayed);
            CHECK(again.numbers() == 3);
        }
        CHECK(verdict() == "gapless, clean");
    }

    TEST_CASE_FIXTURE(
        connection_bench, "a replay is the same to the byte, from any instance and after a restart"
    )
    {
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
