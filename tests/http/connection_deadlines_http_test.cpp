#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace session_deadlines_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::chrono::seconds soon{2};

TEST_SUITE("http/connection_deadlines_http")
{
    TEST_CASE_FIXTURE(quick_fixture, "a slow header is answered with 408 and the connection closed")
    {
        auto client = connect();
        client.send("GET /livez HTTP/1.1\r\nHost: loc");
        auto const answer = client.receive();
        CHECK(answer.status == 408);
        CHECK(answer.body.find(R"("executed":"no")") != std::string::npos);
        CHECK(client.is_closed_within(soon));
        CHECK(web.counters().timeouts == 1);
    }

    TEST_CASE_FIXTURE(quick_fixture, "trickling bytes does not extend a deadline")
    {
        auto client = connect();
        auto const begin = std::chrono::steady_clock::now();
        client.send("GET /livez HTTP/1.1\r\nX: ");
        while (web.counters().timeouts == 0 && std::chrono::steady_clock::now() - begin < soon)
        {
            client.send("x");
            client.is_closed_within(std::chrono::milliseconds{5});
        }
        CHECK(web.counters().timeouts == 1);
        CHECK(client.receive().status == 408);
    }

    TEST_CASE_FIXTURE(quick_fixture, "a client that does not read is cut off")
    {
        auto client = connect();
        for (int n = 0; n < 60; ++n)
            client.send(request(
                "POST /v1/series/dhl-paket/numbers?numbers=true",
                "Idempotency-Key: k" + std::to_string(n) + "\r\n",
                R"({"count":100000})"
            ));
        auto const begin = std::chrono::steady_clock::now();
        while (web.counters().connections_open > 0 &&
               std::chrono::steady_clock::now() - begin < soon)
        {
            io.restart();
            io.run_for(std::chrono::milliseconds{5});
        }
        CHECK(web.counters().connections_open == 0);
        CHECK(web.counters().timeouts == 1);
    }
}

}  // namespace session_deadlines_test
