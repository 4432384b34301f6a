#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <sys/resource.h>
#include <vector>

namespace server_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view liveness{"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"};
constexpr std::chrono::seconds soon{2};

// UBSan opens a pipe to look at memory and takes its failure for a broken object.
#ifdef __SANITIZE_ADDRESS__
constexpr bool under_sanitizer = true;
#else
constexpr bool under_sanitizer = false;
#endif

template <class Condition>
bool happens(http_fixture& http, Condition condition)
{
    auto const end = std::chrono::steady_clock::now() + soon;
    while (!condition() && std::chrono::steady_clock::now() < end)
    {
        http.io.restart();
        http.io.run_for(std::chrono::milliseconds{2});
    }
    return condition();
}

TEST_SUITE("http/server_http")
{
    TEST_CASE("a connection too many is answered with overloaded, and room is used again")
    {
        http_limits limits;
        limits.connections_max = 2;
        http_fixture http{limits};
        http.service.keeps_waiting = true;
        auto first = http.connect();
        auto second = std::make_unique<raw_client>(http.connect());
        first.send(http.issue_request("a"));
        second->send(http.issue_request("b"));
        REQUIRE(happens(http, [&] { return http.service.waiting() == 2; }));

        auto third = http.connect();
        third.send(liveness);
        auto const answer = third.receive();
        CHECK(answer.status == 503);
        CHECK(answer.problem() == "overloaded");
        CHECK(answer.field("retry-after") != "");
        CHECK(third.is_closed_within(soon));
        CHECK(http.web.counters().connections_refused == 1);

        http.service.answer_waiting();
        second.reset();
        CHECK(happens(http, [&] { return http.web.counters().connections_open == 1; }));
        CHECK(http.ask(liveness).status == 200);
    }

    TEST_CASE("the connection that was idle for longest gives way to a new one")
    {
        http_limits limits;
        limits.connections_max = 2;
        http_fixture http{limits};
        auto first = http.connect();
        auto second = http.connect();
        for (auto* each : {&first, &second})
        {
            each->send(liveness);
            CHECK(each->receive().status == 200);
        }
        CHECK(http.ask(liveness).status == 200);
        CHECK(first.is_closed_within(soon));
        second.send(liveness);
        CHECK(second.receive().status == 200);
        CHECK(http.web.counters().connections_refused == 0);
    }

    TEST_CASE_FIXTURE(
        http_fixture,
        "running out of descriptors stops neither process nor server" *
            doctest::skip(under_sanitizer)
    )
    {
        auto first = connect();
        first.send(liveness);
        CHECK(first.receive().status == 200);

        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        std::vector<raw_client> clients;
        clients.reserve(8);
        for (int n = 0; n < 8; ++n)
            clients.push_back(connect());
        // No descriptor beyond those in use now: the server cannot accept what is waiting.
        rlimit none{before};
        none.rlim_cur = 3;
        setrlimit(RLIMIT_NOFILE, &none);
        CHECK(happens(*this, [&] { return web.counters().accept_failures > 1; }));
        first.send(liveness);
        CHECK(first.receive().status == 200);

        setrlimit(RLIMIT_NOFILE, &before);
        for (auto& client : clients)
        {
            client.send(liveness);
            CHECK(client.receive().status == 200);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "an address that is taken cannot be listened at")
    {
        CHECK_THROWS_AS(web.listen(web.local_endpoint()), boost::system::system_error);
    }

    TEST_CASE_FIXTURE(http_fixture, "what happens is counted")
    {
        ask(liveness);
        ask("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n");
        ask("nonsense\r\n\r\n");
        auto const& counters = web.counters();
        CHECK(counters.connections_accepted == 3);
        CHECK(counters.requests == 3);
        CHECK(counters.answers[2] == 1);
        CHECK(counters.answers[4] == 2);
        CHECK(counters.framing_faults == 1);
        CHECK(counters.bytes_received > 80);
        CHECK(counters.bytes_sent > 300);
    }
}

}  // namespace server_test
