#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace notice_wait_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::chrono::seconds soon{5};

http_limits few_places()
{
    auto limits = quick_limits();
    limits.client_requests_max = 1;
    return limits;
}

/// Notice 7 is the latest one. Deadlines are short, and one token has few places.
struct wait_fixture : http_fixture
{
    wait_fixture() : http_fixture{few_places()} { publish(7); }

    void publish(std::int64_t seq, std::optional<std::string> series = "dhl-paket")
    {
        service.publish(
            {.id = "8a6e0804-2bd0-4672-b79d-d97027f9071a",
             .seq = seq,
             .kind = "series.exhausted",
             .series = std::move(series)}
        );
    }

    /// A client whose request waits.
    raw_client wait(std::string const& query = "after=7&wait=30")
    {
        auto client = connect();
        auto const before = service.waiters.size();
        client.send(request("GET /v1/notices?" + query));
        CHECK(run_until([&] { return service.waiters.size() == before + 1; }));
        return client;
    }

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

/// "200 8,9 next 9": status, seqs and next.
std::string told(raw_answer const& answer)
{
    std::string seqs;
    constexpr std::string_view mark{R"("seq":")"};
    for (auto at = answer.body.find(mark); at != std::string::npos;
         at = answer.body.find(mark, at + 1))
    {
        auto const begin = at + mark.size();
        seqs += seqs.empty() ? "" : ",";
        seqs += answer.body.substr(begin, answer.body.find('"', begin) - begin);
    }
    auto const next = answer.body.rfind(R"("next":)");
    return std::to_string(answer.status) + ' ' + seqs + ' ' +
           (next == std::string::npos ? answer.problem() : answer.body.substr(next + 7));
}

TEST_SUITE("notices/notice_wait_http")
{
    TEST_CASE_FIXTURE(wait_fixture, "what is there is told at once, and next is never null")
    {
        publish(8);
        CHECK(told(ask(request("GET /v1/notices?wait=30"))) == R"(200 7,8 "8"})");
        CHECK(told(ask(request("GET /v1/notices?wait=30&limit=1"))) == R"(200 7 "7"})");
        CHECK(told(ask(request("GET /v1/notices?after=8&wait=0"))) == R"(200  "8"})");
        CHECK(service.waiters.empty());
    }

    TEST_CASE_FIXTURE(wait_fixture, "a request waits beyond every deadline, and is told what comes")
    {
        auto client = wait();
        CHECK_FALSE(client.is_closed_within(std::chrono::milliseconds{300}));
        publish(8);
        CHECK(told(client.receive()) == R"(200 8 "8"})");
        CHECK(service.waiters.empty());
        // The connection is as good as before, and what was told is not told again.
        client.send(request("GET /v1/notices?after=8&wait=30"));
        CHECK(run_until([&] { return service.waiters.size() == 1; }));
        publish(9);
        CHECK(told(client.receive()) == R"(200 9 "9"})");
    }

    TEST_CASE_FIXTURE(wait_fixture, "requests that wait take no place of those that run")
    {
        std::vector<raw_client> clients;
        for (int n = 0; n < 8; ++n)
            clients.push_back(wait());
        CHECK(ask(request("GET /v1/notices")).status == 200);
        CHECK(ask(request("GET /v1/series/dhl-paket/blocks")).status == 200);
        publish(8);
        for (auto& client : clients)
            CHECK(told(client.receive()) == R"(200 8 "8"})");
    }

    TEST_CASE_FIXTURE(wait_fixture, "one too many is asked to come later")
    {
        service.refuses_waiting = refusal{refusal_kind::overloaded, "too many wait"};
        auto const answer = ask(request("GET /v1/notices?after=7&wait=30"));
        CHECK(told(answer) == "503  overloaded");
        CHECK(answer.field("retry-after") != "");
        // What is there needs no waiting.
        CHECK(told(ask(request("GET /v1/notices?after=0&wait=30"))) == R"(200 7 "7"})");
    }

    TEST_CASE_FIXTURE(wait_fixture, "a token that is no longer in force waits no longer")
    {
        auto client = wait();
        auto const kept = service.tokens.extract("all");
        service.ring_waiters();
        CHECK(told(client.receive()) == "401  unauthenticated");
        CHECK(service.waiters.empty());
        // It learns nothing of what comes in that moment.
        service.tokens["all"] = kept.mapped();
        auto late = wait();
        service.tokens.clear();
        publish(8);
        CHECK(told(late.receive()) == "401  unauthenticated");
    }

    TEST_CASE_FIXTURE(wait_fixture, "a client that goes gives its place back, and is no departure")
    {
        auto client = wait();
        client.close();
        CHECK(run_until([&] { return service.waiters.empty(); }));
        CHECK(run_until([&] { return web.counters().connections_open == 0; }));
        CHECK(web.counters().departures == 0);
    }

    TEST_CASE_FIXTURE(wait_fixture, "a stop ends the waiting at once")
    {
        auto client = wait();
        int stops = 0;
        web.stop({.drain = 4 * soon, .grace = 8 * soon}, [&] { ++stops; });
        auto const answer = client.receive();
        CHECK(told(answer) == R"(200  "7"})");
        CHECK(answer.field("connection") == "close");
        CHECK(run_until([&] { return stops == 1; }));
    }

    TEST_CASE_FIXTURE(wait_fixture, "a wait has its bounds")
    {
        for (std::string const wait : {"31", "-1", "9999999999999999999"})
            CHECK(told(ask(request("GET /v1/notices?wait=" + wait))) == "422  out-of-range");
        for (std::string const wait : {"", "x", "1.5"})
            CHECK(told(ask(request("GET /v1/notices?wait=" + wait))) == "400  malformed-request");
    }

    TEST_CASE_FIXTURE(wait_fixture, "a server that ends leaves nobody waiting")
    {
        auto const client = std::make_unique<raw_client>(wait());
        CHECK(service.waiters.size() == 1);
    }
}

}  // namespace notice_wait_test
