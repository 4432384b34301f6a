#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <set>
#include <vector>

namespace session_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view liveness{"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"};
constexpr std::chrono::seconds soon{2};

TEST_SUITE("http/connection_http")
{
    TEST_CASE_FIXTURE(http_fixture, "pipelined requests are answered and numbered in their order")
    {
        std::string burst;
        for (int n = 0; n < 50; ++n)
            burst += issue_request("key-" + std::to_string(n));
        auto client = connect();
        client.send(burst + std::string{liveness});
        for (int n = 0; n < 50; ++n)
        {
            auto const ordinal = "\"ordinal\":\"" + std::to_string(n + 1) + '"';
            CHECK(client.receive().body.find(ordinal) != std::string::npos);
        }
        CHECK(client.receive().text() == R"(200 {"status":"ok"})");
    }

    TEST_CASE_FIXTURE(http_fixture, "the answer to a HEAD that cannot be read has no body")
    {
        for (auto const& rest :
             {std::string{"/livez HTTP/1.1\r\n\r\n"},
              std::string{"/livez HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"},
              '/' + std::string(3'000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n",
              '/' + std::string(30'000, 'a'),
              std::string{"/livez HTTP/1.1\nHost: a\n\n"}})
        {
            auto client = connect();
            client.send("HEAD " + rest);
            CHECK(client.receive_all().ends_with("\r\n\r\n"));
        }
        auto client = connect();
        client.send("HEAD /livez HTTP/1.1\r\nHost: a\r\n\r\nGET /livez HTTP/1.1\r\n\r\n");
        CHECK(client.receive(true).status == 200);
        CHECK(client.receive().body.find("Host is missing.") != std::string::npos);
    }

    TEST_CASE("a connection ends after its last allowed request")
    {
        http_limits limits;
        limits.requests_per_connection_max = 2;
        http_fixture http{limits};
        auto client = http.connect();
        client.send(liveness);
        CHECK(client.receive().field("connection").empty());
        client.send(liveness);
        CHECK(client.receive().field("connection") == "close");
        CHECK(client.is_closed_within(soon));
    }

    TEST_CASE_FIXTURE(http_fixture, "a client that waits is told to go on before its body is read")
    {
        auto client = connect();
        client.send(
            "POST /v1/series/dhl-paket/numbers HTTP/1.1\r\nHost: localhost\r\n"
            "Authorization: Bearer all\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\n"
            "Content-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        );
        CHECK(client.receive().status == 100);
        client.send("{}");
        CHECK(client.receive().status == 201);
    }

    TEST_CASE_FIXTURE(patient_fixture, "a token revoked before the body is there is refused")
    {
        for (auto const remembers : {true, false})
            for (auto const& [length, body] :
                 {std::pair{"Content-Length: 2", "{}"},
                  {"Transfer-Encoding: chunked", "2\r\n{}\r\n0\r\n\r\n"}})
                for (auto const revoked : {false, true})
                {
                    service.remembers = remembers;
                    service.add_token("late", all_scopes);
                    service.issued.clear();
                    auto client = connect();
                    client.send(
                        "POST /v1/series/dhl-paket/numbers HTTP/1.1\r\nHost: localhost\r\n"
                        "Authorization: Bearer late\r\nIdempotency-Key: k\r\n"
                        "Content-Type: application/json\r\nExpect: 100-continue\r\n" +
                        std::string{length} + "\r\n\r\n"
                    );
                    CHECK(client.receive().status == 100);
                    if (revoked)
                        service.tokens.erase("late");
                    client.send(body);
                    std::string const told{revoked ? "401 unauthenticated" : "201 "};
                    CHECK(client.receive().outcome() == told);
                    CHECK(service.issued.size() == (revoked ? 0 : 1));
                }
    }

    TEST_CASE_FIXTURE(
        http_fixture, "a failure of ours is 500 without a detail and with a closed connection"
    )
    {
        service.throws = true;
        for (auto const& failing :
             {request("PATCH /v1/series/dhl-paket"),
              request("GET /v1/series"),
              request("GET /readyz")})
        {
            auto client = connect();
            client.send(failing);
            CHECK(
                client.receive().text() ==
                R"(500 {"type":"about:blank","title":"Internal Server Error","status":500,)"
                R"("executed":"unknown"})"
            );
            CHECK(client.is_closed_within(soon));
        }
        CHECK(web.counters().failures == 3);
    }

    TEST_CASE("a request has one name: in its answer's head, in its problem, and in the log")
    {
        std::vector<std::string> logged;
        auto const log = [&logged](request_record const& seen) {
            logged.emplace_back(seen.request_id);
        };
        http_fixture http{{}, log};
        std::vector<std::string> told;
        for (auto const& bytes :
             {http_fixture::issue_request("k"),
              std::string{"GET /nothing/here HTTP/1.1\r\nHost: a\r\n\r\n"},
              std::string{"nonsense\r\n\r\n"}})
        {
            auto const answer = http.ask(bytes);
            told.push_back(answer.request_id);
            CHECK(answer.told_request_id == (answer.status == 201 ? "" : told.back()));
        }
        CHECK(told == logged);
        CHECK(std::set<std::string>(told.begin(), told.end()).size() == told.size());
    }

    TEST_CASE("the log has a token's name, the series, and the type of the problem")
    {
        std::vector<std::string> lines;
        auto const log = [&lines](request_record const& seen) {
            lines.push_back(fmt::format("{} {} {}", seen.token, seen.series, seen.problem));
        };
        http_fixture http{{}, log};
        http.ask(http_fixture::issue_request("k"));
        http.ask(http_fixture::request("GET /v1/series/foreign"));
        http.ask("GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n");
        http.ask("nonsense\r\n\r\n");
        CHECK(
            lines ==
            std::vector<std::string>{
                "all dhl-paket ", "all  unknown-series", "  unauthenticated", "  malformed-request"}
        );
    }

    TEST_CASE("answered requests are told to the log without their paths and tokens")
    {
        std::vector<std::string> lines;
        auto const log = [&lines](request_record const& seen) {
            lines.push_back(
                std::string{seen.method} + ' ' + std::string{seen.pattern} + ' ' +
                std::to_string(seen.status) + (seen.request_id.empty() ? " without id" : "") +
                (seen.duration.count() < 0 ? " early" : "") + std::string{seen.traceparent}
            );
        };
        http_fixture http{{}, log};
        http.ask(http_fixture::issue_request("k"));
        http.ask("GET /nothing/here HTTP/1.1\r\nHost: a\r\n\r\n");
        http.ask("nonsense\r\n\r\n");
        CHECK(
            lines ==
            std::vector<std::string>{"POST /v1/series/{series}/numbers 201", "GET  404", "  400"}
        );
    }

    TEST_CASE("a request keeps the id and the trace that it brings, where they are well-formed")
    {
        std::vector<std::string> logged;
        http_fixture http{
            {}, [&](request_record const& seen) {
                logged.emplace_back(seen.request_id).append(" ").append(seen.traceparent);
            }};
        std::string const trace{"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"};
        auto const ask = [&](std::string const& id, std::string const& parent) {
            return http.ask(
                "GET /nothing HTTP/1.1\r\nHost: a\r\nX-Request-Id: " + id +
                "\r\ntraceparent: " + parent + "\r\n\r\n"
            );
        };
        auto const kept = ask("shop:42_a.b-c", trace);
        CHECK(kept.field("traceparent") == trace);
        CHECK(kept.told_request_id == "shop:42_a.b-c");
        CHECK(logged.back() == "shop:42_a.b-c " + trace);
        for (std::string const& id :
             {std::string{"a b"}, std::string{"a\"b"}, std::string(129, 'a')})
        {
            auto const own = ask(id, "00-" + std::string(48, 'g') + "-01");
            CHECK(own.told_request_id != id);
            CHECK_FALSE(own.told_request_id.empty());
            CHECK(own.field("traceparent").empty());
        }
        auto const later = "01" + trace.substr(2) + "-more";
        CHECK(ask("a", later).field("traceparent") == later);
        for (auto const& wrong :
             {"ff" + trace.substr(2),
              trace + "-more",
              "00-" + std::string(32, '0') + trace.substr(35),
              trace.substr(0, 36) + std::string(16, '0') + "-01"})
            CHECK(ask("a", wrong).field("traceparent").empty());
        CHECK(ask(std::string(128, 'a'), "").told_request_id == std::string(128, 'a'));
    }
}

}  // namespace session_test
