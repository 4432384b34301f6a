#include "http/tls_fixture.hpp"

#include <doctest/doctest.h>

namespace notice_stream_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::chrono::seconds soon{5};
constexpr std::string_view accept_events{"Accept: text/event-stream\r\n"};
constexpr std::string_view event{"id: 1\nevent: series.low\ndata: {}\n\n"};

struct stream_fixture : http_fixture
{
    explicit stream_fixture(http_limits const& limits = {}) : http_fixture{limits} {}

    /// A client of a stream that has begun.
    raw_client follow(std::string_view line = "GET /v1/notices", std::string const& more = {})
    {
        auto client = connect();
        client.send(request(line, std::string{accept_events} + more));
        begun = client.receive(/*without_body=*/true);
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

    raw_answer begun;
};

struct quick_stream_fixture : stream_fixture
{
    quick_stream_fixture() : stream_fixture{quick_limits()} {}
};

TEST_SUITE("http/notice_stream")
{
    TEST_CASE_FIXTURE(stream_fixture, "a stream has no length, and lasts as long as its connection")
    {
        auto client = follow();
        CHECK(begun.status == 200);
        CHECK(begun.field("content-type") == "text/event-stream");
        CHECK(begun.field("content-length") == "");
        CHECK(begun.field("connection") == "close");
        CHECK(begun.field("cache-control") == "no-store");
        CHECK(begun.field("x-accel-buffering") == "no");
        service.send_to_streams(std::string{event});
        CHECK(client.receive_event() == event);
        CHECK_FALSE(client.is_closed_within(std::chrono::milliseconds{50}));
        service.end_streams();
        CHECK(client.is_closed_within(soon));
        CHECK(run_until([&] { return service.streams() == 0; }));
    }

    TEST_CASE_FIXTURE(stream_fixture, "the last event that a client has wins over its query")
    {
        follow();
        follow("GET /v1/notices?after=7&series=dhl-paket&kind=series.low");
        follow("GET /v1/notices?after=7", "Last-Event-ID: 9\r\n");
        follow("GET /v1/notices?after=7", "last-event-id:\r\n");
        REQUIRE(service.notice_wishes.size() == 4);
        CHECK(service.notice_wishes[0].after == 0);
        CHECK(service.notice_wishes[1].after == 7);
        CHECK(service.notice_wishes[1].series == "dhl-paket");
        CHECK(service.notice_wishes[1].kind == "series.low");
        CHECK(service.notice_wishes[2].after == 9);
        CHECK(service.notice_wishes[3].after == 7);
    }

    TEST_CASE_FIXTURE(stream_fixture, "an event that is none of ours is one that nobody knows")
    {
        for (std::string_view const id :
             {"x", "1x", "-1", "9223372036854775808", "8a6e0804-2bd0-4672-b79d-d97027f9071a"})
        {
            follow("GET /v1/notices", "Last-Event-ID: " + std::string{id} + "\r\n");
            CHECK(service.notice_wishes.back().after < 0);
        }
    }

    TEST_CASE_FIXTURE(
        stream_fixture, "a stream is for who wants it more than JSON, or as much and names it first"
    )
    {
        auto const kind = [this](std::string const& accept) {
            auto client = connect();
            client.send(request("GET /v1/notices", "Accept: " + accept + "\r\n"));
            return client.receive(/*without_body=*/true).field("content-type");
        };
        CHECK(kind("text/event-stream, application/json") == "text/event-stream");
        CHECK(kind("text/event-stream;q=0.9, application/json") == "application/json");
        CHECK(kind("application/json ; q=0.25,text/event-stream; Q=0.3") == "text/event-stream");
        CHECK(kind("text/event-stream;q=1.000, application/json;q=0.999") == "text/event-stream");
        CHECK(kind("text/event-stream;q=0") == "application/json");
        CHECK(kind("text/event-stream;q=0.000;x=1, */*") == "application/json");
        CHECK(kind("text/event-stream;x=1;q=0.001") == "text/event-stream");
        CHECK(kind("Text/Event-Stream") == "text/event-stream");
        CHECK(kind("application/json, text/event-stream") == "application/json");
        CHECK(kind("text/html, */*") == "application/json");
    }

    TEST_CASE_FIXTURE(stream_fixture, "as many streams as the service takes, then 503")
    {
        service.refuses = refusal{refusal_kind::overloaded, "too many streams"};
        auto const answer = ask(request("GET /v1/notices", accept_events));
        CHECK(answer.status == 503);
        CHECK(answer.problem() == "overloaded");
        CHECK(answer.field("retry-after") != "");
        CHECK(answer.field("connection") == "");
    }

    TEST_CASE_FIXTURE(stream_fixture, "HEAD tells how a stream begins, and opens none")
    {
        auto client = connect();
        client.send(request("HEAD /v1/notices", accept_events));
        auto const head = client.receive(/*without_body=*/true);
        CHECK(head.status == 200);
        CHECK(head.field("content-type") == "text/event-stream");
        CHECK(client.is_closed_within(soon));
        CHECK(service.streams() == 0);
    }

    TEST_CASE_FIXTURE(quick_stream_fixture, "a client that goes gives its place back")
    {
        auto client = follow();
        CHECK(service.streams() == 1);
        client.close();
        CHECK(run_until([&] { return service.streams() == 0; }));
        CHECK(web.counters().departures == 0);
        CHECK(web.counters().connections_open == 0);
    }

    TEST_CASE_FIXTURE(quick_stream_fixture, "a stream outlives every deadline of a request")
    {
        auto client = follow();
        CHECK_FALSE(client.is_closed_within(std::chrono::milliseconds{400}));
        service.send_to_streams(std::string{event});
        CHECK(client.receive_event() == event);
    }

    TEST_CASE_FIXTURE(quick_stream_fixture, "a client that does not read its stream is cut off")
    {
        auto client = follow();
        service.send_to_streams(std::string(64 * 1'024 * 1'024, 'x'));
        CHECK(run_until([&] { return service.streams() == 0; }));
        CHECK(web.counters().timeouts == 1);
    }

    TEST_CASE_FIXTURE(stream_fixture, "a stop ends the streams at once, and takes no new one")
    {
        auto client = follow();
        auto late = connect();
        late.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
        CHECK(late.receive().status == 200);
        int stops = 0;
        web.stop({.drain = 4 * soon, .grace = 8 * soon}, [&] { ++stops; });
        CHECK(client.is_closed_within(soon));
        late.send(request("GET /v1/notices", accept_events));
        CHECK(late.receive(/*without_body=*/true).status == 200);
        CHECK(late.is_closed_within(soon));
        CHECK(run_until([&] { return stops == 1; }));
        CHECK(service.streams() == 0);
    }

    TEST_CASE_FIXTURE(tls_fixture, "a stream is encrypted like any answer")
    {
        auto client = connect_tls();
        REQUIRE(client.shake_hands() == "");
        client.send(request("GET /v1/notices", accept_events));
        CHECK(client.receive(/*without_body=*/true).status == 200);
        for (int n = 0; n < 3; ++n)
        {
            service.send_to_streams(std::string{event});
            CHECK(client.receive_event() == event);
        }
        service.end_streams();
        CHECK(client.is_closed_within(soon));
        CHECK(client.got_goodbye());
    }

    TEST_CASE_FIXTURE(stream_fixture, "a server that ends leaves no stream behind")
    {
        auto client = std::make_unique<raw_client>(follow());
        CHECK(service.streams() == 1);
    }
}

}  // namespace notice_stream_test
