#include "harness/tls_fixture.hpp"

#include <doctest/doctest.h>

namespace tls_end_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view liveness{"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"};
constexpr std::chrono::seconds soon{2};

TEST_SUITE("http/tls_end_http")
{
    TEST_CASE_FIXTURE(quick_tls_fixture, "who does not finish the handshake is dropped in time")
    {
        auto const silent = connect();
        CHECK(happens([&] { return web.counters().tls_handshake_failures == 1; }));
        auto half = connect_tls();
        half.begin_handshake();
        CHECK(happens([&] { return web.counters().tls_handshake_failures == 2; }));
        auto trickling = connect();
        trickling.send("\x16\x03\x01\x01\x01");
        auto const begin = std::chrono::steady_clock::now();
        while (web.counters().tls_handshake_failures < 3 &&
               std::chrono::steady_clock::now() - begin < soon)
            if (!trickling.is_closed_within(std::chrono::milliseconds{5}))
                trickling.send("\x01");
        CHECK(web.counters().tls_handshake_failures == 3);
        CHECK(happens([&] { return web.counters().connections_open == 0; }));
    }

    TEST_CASE_FIXTURE(tls_fixture, "a look whether the port is open is no failed handshake")
    {
        connect().close();
        CHECK(happens([&] { return web.counters().connections_accepted == 1; }));
        CHECK(happens([&] { return web.counters().connections_open == 0; }));
        CHECK(web.counters().tls_handshake_failures == 0);
    }

    TEST_CASE_FIXTURE(
        quick_tls_fixture, "over TLS a slow header or body is answered with 408 and a goodbye"
    )
    {
        auto const request = issue_request("slow", R"({"count":3})");
        for (auto const sent : {std::size_t{20}, request.size() - 1})
        {
            auto client = connect_tls();
            REQUIRE(client.shake_hands() == "");
            client.send(request.substr(0, sent));
            CHECK(client.receive().status == 408);
            CHECK(client.is_closed_within(soon));
            CHECK(client.got_goodbye());
        }
        CHECK(service.issued.empty());
    }

    TEST_CASE_FIXTURE(tls_fixture, "a request cut before its end executes nothing")
    {
        auto const request = issue_request("cut", R"({"count":3})");
        for (std::size_t sent = 1; sent < request.size(); sent += 13)
        {
            auto leaving = connect_tls();
            REQUIRE(leaving.shake_hands() == "");
            leaving.send(request.substr(0, sent));
            leaving.end_sending();  // without a goodbye
            leaving.receive_all();
            auto polite = connect_tls();
            REQUIRE(polite.shake_hands() == "");
            polite.send(request.substr(0, sent));
            polite.say_goodbye();
            CHECK(polite.receive().status == 400);
        }
        CHECK(service.issued.empty());
        auto whole = connect_tls();
        REQUIRE(whole.shake_hands() == "");
        whole.send(request);
        whole.say_goodbye();
        CHECK(whole.receive().status == 201);
        CHECK(whole.is_closed_within(soon));
        CHECK(whole.got_goodbye());
    }

    TEST_CASE_FIXTURE(quick_tls_fixture, "the last answer and an idle end come with a goodbye")
    {
        auto last = connect_tls();
        REQUIRE(last.shake_hands() == "");
        last.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        CHECK(last.receive().status == 200);
        CHECK(last.is_closed_within(soon));
        CHECK(last.got_goodbye());

        auto idle = connect_tls();
        REQUIRE(idle.shake_hands() == "");
        idle.send(liveness);
        CHECK(idle.receive().status == 200);
        CHECK(idle.is_closed_within(soon));
        CHECK(idle.got_goodbye());
    }

    TEST_CASE_FIXTURE(tls_fixture, "stopping says goodbye to the idle and lets requests finish")
    {
        service.keeps_waiting = true;
        auto idle = connect_tls();
        REQUIRE(idle.shake_hands() == "");
        idle.send(liveness);
        CHECK(idle.receive().status == 200);
        auto greeting = connect_tls();
        greeting.begin_handshake();
        auto busy = connect_tls();
        REQUIRE(busy.shake_hands() == "");
        busy.send(issue_request("busy"));
        CHECK(happens([&] { return service.waiting() == 1; }));

        auto late = connect_tls();

        bool stopped = false;
        web.stop({.drain = soon, .grace = 2 * soon}, [&] { stopped = true; });
        CHECK(late.shake_hands() == "");
        late.send(liveness);
        CHECK(late.receive().field("connection") == "close");
        CHECK(late.is_closed_within(soon));
        CHECK(late.got_goodbye());
        late.close();
        CHECK(idle.is_closed_within(2 * soon));
        CHECK(idle.got_goodbye());
        CHECK(greeting.is_closed_within(soon));
        greeting.close();
        CHECK_FALSE(stopped);
        service.answer_waiting();
        CHECK(busy.receive().status == 201);
        CHECK(busy.is_closed_within(soon));
        CHECK(busy.got_goodbye());
        busy.close();
        CHECK(happens([&] { return stopped; }));
    }
}

}  // namespace tls_end_test
