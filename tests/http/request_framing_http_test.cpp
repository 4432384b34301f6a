#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace request_framing_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view smuggled{
    "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"};

/// What a request is answered with when two more stand right behind it: "400 malformed-request",
/// and how many answers there were.
std::string answer_and_count(http_fixture& http, std::string_view request)
{
    auto client = http.connect();
    client.send(std::string{request} + std::string{smuggled});
    client.end_sending();
    auto const all = client.receive_all();
    auto const name = [&] {
        raw_answer answer;
        answer.body = all;
        return answer.problem();
    }();
    auto const status = all.size() > 12 ? all.substr(9, 3) : "none";
    auto const closes = all.find("Connection: close\r\n") != std::string::npos ? "" : " stays";
    return status + ' ' + name + ' ' + std::to_string(count_answers(all)) + closes;
}

constexpr std::string_view one_answer{"400 malformed-request 1"};

std::string with_lines(std::string_view lines, std::string_view body = {})
{
    return "POST /v1/series/dhl-paket/numbers HTTP/1.1\r\nHost: localhost\r\n"
           "Authorization: Bearer all\r\nIdempotency-Key: k\r\n" +
           std::string{lines} + "\r\n" + std::string{body};
}

std::string with_target(std::string_view line)
{
    return std::string{line} + "\r\nHost: localhost\r\n\r\n";
}

TEST_SUITE("http/request_framing")
{
    TEST_CASE_FIXTURE(http_fixture, "a Content-Length that is not one number is refused")
    {
        for (std::string_view const lines :
             {"Content-Length: 2\r\nContent-Length: 2\r\n",
              "Content-Length: 2\r\nContent-Length: 3\r\n",
              "Content-Length: 2, 2\r\n",
              "Content-Length: +2\r\n",
              "Content-Length: -2\r\n",
              "Content-Length: 0x2\r\n",
              "Content-Length: 2a\r\n",
              "Content-Length: 2 3\r\n",
              "Content-Length: 1e1\r\n",
              "Content-Length:\r\n",
              "Content-Length: 18446744073709551616\r\n",
              "Content-Length: 18446744073709551618\r\n",
              "Content-Length : 2\r\n"})
        {
            CAPTURE(lines);
            CHECK(answer_and_count(*this, with_lines(lines, "{}")) == one_answer);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "a Host that is missing, doubled or not a host is refused")
    {
        for (std::string_view const lines :
             {"",
              "Host:\r\n",
              "Host: a\r\nHost: a\r\n",
              "Host: a\r\nHost: b\r\n",
              "Host: a, b\r\n",
              "Host: user@localhost\r\n",
              "Host: localhost/path\r\n",
              "Host: http://localhost\r\n",
              "Host: local host\r\n",
              "Host: localhost:\x01\r\n",
              "Host: localhost:port\r\n",
              "Host: localhost:123456\r\n",
              "Host: [::1\r\n",
              "Host: [::g]\r\n",
              "Host: []\r\n",
              "Host: :80\r\n",
              "Host: l\xc3\xb6we\r\n"})
        {
            CAPTURE(lines);
            auto const request = "GET /livez HTTP/1.1\r\n" + std::string{lines} + "\r\n";
            CHECK(answer_and_count(*this, request) == one_answer);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "names, addresses and ports are hosts")
    {
        for (std::string_view const host :
             {"localhost",
              "localhost:8080",
              "10.0.0.1:1",
              "[::1]",
              "[::1]:65535",
              "a-b.example.com"})
        {
            CAPTURE(host);
            auto const request = "GET /livez HTTP/1.1\r\nHost: " + std::string{host} + "\r\n\r\n";
            CHECK(ask(request).status == 200);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "a field that decides is refused when it is given twice")
    {
        for (std::string_view const lines :
             {"Authorization: Bearer all\r\n",
              "authorization: Bearer other\r\n",
              "Idempotency-Key: k\r\n",
              "IDEMPOTENCY-KEY: other\r\n",
              "Content-Type: application/json\r\nContent-Type: application/json\r\n",
              "If-Match: *\r\nIf-Match: *\r\n"})
        {
            CAPTURE(lines);
            CHECK(answer_and_count(*this, with_lines(lines)) == one_answer);
        }
        CHECK(service.issued.empty());
    }

    TEST_CASE_FIXTURE(http_fixture, "lines that are folded or do not end with CR LF are refused")
    {
        for (std::string_view const request :
             {"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n",
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\r\n\tb\r\n\r\n",
              "GET /livez HTTP/1.1\r\n Host: localhost\r\n\r\n",
              "GET /livez HTTP/1.1\nHost: localhost\n\n",
              "GET /livez HTTP/1.1\r\nHost: localhost\n\r\n",
              "GET /livez HTTP/1.1\r\nHost: localhost\r\n\n",
              "GET /livez HTTP/1.1\r\nHost: localhost\rX: y\r\n\r\n",
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n",
              "\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n",
              "\r\n\r\nGET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"})
        {
            CAPTURE(request);
            CHECK(answer_and_count(*this, request) == one_answer);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "control characters and broken names in the header are refused")
    {
        using namespace std::string_view_literals;
        for (auto const request :
             {"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n"sv,
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\x07\r\n\r\n"sv,
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nX Y: a\r\n\r\n"sv,
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nX : a\r\n\r\n"sv,
              "GET /livez HTTP/1.1\r\nHost: localhost\r\n: a\r\n\r\n"sv,
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nX\r\n\r\n"sv,
              "GET /livez HTTP/1.1\r\nHost: localhost\r\nX\xc3\xa4: a\r\n\r\n"sv,
              "\x16\x03\x01\x02\x00\x01"sv,
              " GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"sv})
        {
            CAPTURE(request);
            CHECK(answer_and_count(*this, request) == one_answer);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "only origin form targets in printable ASCII are read")
    {
        for (std::string_view const line :
             {"GET http://localhost/livez HTTP/1.1",
              "OPTIONS * HTTP/1.1",
              "GET * HTTP/1.1",
              "CONNECT localhost:80 HTTP/1.1",
              "GET livez HTTP/1.1",
              "GET /livez#top HTTP/1.1",
              "GET /l\xc3\xb6we HTTP/1.1",
              "GET /\x7f HTTP/1.1",
              "GET /live z HTTP/1.1",
              "GET  /livez HTTP/1.1",
              "GET /livez  HTTP/1.1",
              "GET /livez HTTP/1.1 ",
              "GET /livez",
              "GET /livez HTTP/0.9",
              "GET /livez HTTP/1.2",
              "GET /livez HTTP/2.0",
              "GET /livez http/1.1",
              "GET /livez HTTP/11",
              "PRI * HTTP/2.0",
              "G@T /livez HTTP/1.1"})
        {
            CAPTURE(line);
            CHECK(answer_and_count(*this, with_target(line)) == one_answer);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "a body where none is taken ends the connection")
    {
        CHECK(
            answer_and_count(
                *this, "GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nbody"
            ) == one_answer
        );
        CHECK(
            ask("GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n").status == 200
        );
    }

    TEST_CASE_FIXTURE(http_fixture, "only 100-continue can be expected")
    {
        CHECK(
            answer_and_count(
                *this, "GET /livez HTTP/1.1\r\nHost: localhost\r\nExpect: cookies\r\n\r\n"
            ) == "417  1"
        );
    }

    TEST_CASE_FIXTURE(
        http_fixture, "a request that ends in the middle is answered and changes nothing"
    )
    {
        for (std::string_view const request :
             {"GET /livez HTTP/1.1\r\nHost: loc",
              "POST /v1/series/dhl-paket/numbers HTTP/1.1\r\nHost: localhost\r\n"
              "Authorization: Bearer all\r\nIdempotency-Key: k\r\nContent-Length: 10\r\n\r\n{}"})
        {
            auto client = connect();
            client.send(request);
            client.end_sending();
            CHECK(client.receive().problem() == "malformed-request");
            CHECK(client.is_closed_within(std::chrono::seconds{1}));
        }
        CHECK(service.issued.empty());
    }
}

}  // namespace request_framing_test
