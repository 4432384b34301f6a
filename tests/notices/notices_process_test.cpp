#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace notices_test {

using namespace gapless::test;

struct notices_bench : clerk_bench
{
    /// A request that waits behind notice 2, the last one that creating the series told.
    std::unique_ptr<http_client> wait_at(std::size_t place)
    {
        auto client = std::make_unique<http_client>(instance(place).address());
        http_request wanted{.target = "/v1/notices?after=2&wait=30"};
        wanted.fields = {{"Authorization", "Bearer " + boss}};
        CHECK(client->connect());
        CHECK(client->send(client->to_bytes(wanted)));
        auto const is_waiting = [&] {
            return get("/metrics", boss).body.find("gapless_notice_waiters 0") == std::string::npos;
        };
        if (place == 0)
            CHECK(eventually(is_waiting));
        return client;
    }
};

TEST_SUITE("notices/notices_process")
{
    TEST_CASE_FIXTURE(
        notices_bench, "who waits hears what happens, whichever instance publishes it"
    )
    {
        CHECK(eventually([&] { return json_of(get("/v1/notices", boss), 200)["items"].size() == 2; }
        ));
        start_instances(2);
        auto const here = wait_at(0);
        auto const there = wait_at(1);
        json_of(ask("PATCH", "/v1/series/s", boss, json_value{{"paused", true}}.dump()), 200);
        for (auto* const client : {here.get(), there.get()})
        {
            auto const told = json_of(client->receive().value_or(http_answer{}), 200);
            REQUIRE(told["items"].size() == 1);
            CHECK(told["items"][0]["kind"] == "series.paused");
            CHECK(told["next"] == "3");
        }
    }
}

}  // namespace notices_test
