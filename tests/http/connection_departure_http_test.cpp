#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

#include <sys/socket.h>

namespace session_departure_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view liveness{"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"};
constexpr std::chrono::seconds soon{5};

http_limits departure_limits()
{
    auto limits = quick_limits();
    limits.half_closed_time_max = std::chrono::milliseconds{100};
    limits.connections_max = 20;
    return limits;
}

/// Issue requests wait until they are told to go on.
struct waiting_fixture : http_fixture
{
    waiting_fixture() : http_fixture{departure_limits()} { service.keeps_waiting = true; }

    /// Lets the server work until `condition` holds. False: it never did.
    template <class Condition>
    bool run_until(Condition const& condition)
    {
        auto const end = std::chrono::steady_clock::now() + soon;
        while (!condition() && std::chrono::steady_clock::now() < end)
        {
            io.restart();
            io.run_for(std::chrono::milliseconds{1});
        }
        return condition();
    }
};

TEST_SUITE("http/connection_departure_http")
{
    TEST_CASE_FIXTURE(waiting_fixture, "a client that goes while its request runs is let go")
    {
        auto client = connect();
        client.send(issue_request("gone"));
        REQUIRE(run_until([&] { return service.waiting() == 1; }));
        client.close();
        CHECK(run_until([&] { return web.counters().connections_open == 0; }));
        CHECK(web.counters().departures == 1);

        // Its request goes on, and is kept under its key.
        service.answer_waiting();
        REQUIRE(run_until([&] { return web.counters().requests == 1; }));
        service.keeps_waiting = false;
        auto const again = ask(issue_request("gone"));
        CHECK(again.status == 201);
        CHECK(again.field("idempotency-replayed") == "true");
    }

    TEST_CASE_FIXTURE(waiting_fixture, "requests behind the one that runs are no departure")
    {
        auto client = connect();
        client.send(issue_request("first"));
        client.send(liveness);
        CHECK_FALSE(client.is_closed_within(std::chrono::milliseconds{500}));
        service.answer_waiting();
        CHECK(client.receive().status == 201);
        CHECK(client.receive().status == 200);
        CHECK(web.counters().departures == 0);
    }

    TEST_CASE_FIXTURE(waiting_fixture, "a client that only ended its side gets a quick answer")
    {
        auto client = connect();
        client.send(issue_request("half"));
        client.end_sending();
        REQUIRE(run_until([&] { return service.waiting() == 1; }));
        service.answer_waiting();
        CHECK(client.receive().status == 201);
        CHECK(client.is_closed_within(soon));
        CHECK(web.counters().departures == 0);
    }

    TEST_CASE_FIXTURE(waiting_fixture, "clients that have gone make room for one that is there")
    {
        std::vector<raw_client> crowd;
        for (int n = 0; n < 20; ++n)
        {
            crowd.push_back(connect());
            crowd.back().send(issue_request("crowd" + std::to_string(n)));
        }
        REQUIRE(run_until([&] { return service.waiting() == 20; }));
        for (auto& each : crowd)
            each.close();
        // Before their time is over: as soon as the server has seen that they ended their side.
        REQUIRE(run_until([&] { return ask(liveness).status == 200; }));
        CHECK(run_until([&] { return web.counters().connections_open <= 1; }));
        CHECK(web.counters().departures == 20);
    }

    TEST_CASE_FIXTURE(
        waiting_fixture, "requests without a client are bounded, too" * doctest::test_suite("night")
    )
    {
        int refused = 0;
        for (int n = 0; n < 100; ++n)
        {
            auto client = connect();
            client.send(issue_request("n" + std::to_string(n)));
            client.close();
            run_until([&] { return web.counters().connections_open == 0; });
            refused = static_cast<int>(web.counters().connections_refused);
        }
        CHECK(service.waiting() <= 80);
        CHECK(refused >= 20);
    }
}

}  // namespace session_departure_test
