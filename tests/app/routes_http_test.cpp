#include "app/routes.hpp"
#include "harness/http_fixture.hpp"

#include <boost/beast/http/verb.hpp>
#include <doctest/doctest.h>

#include <set>

namespace routes_test {

using namespace gapless;
using namespace gapless::test;

namespace http = boost::beast::http;

std::string replaced(std::string text, std::string_view what, std::string_view by)
{
    if (auto const at = text.find(what); at != std::string::npos)
        text.replace(at, what.size(), by);
    return text;
}

/// A request for a route about this series, with this token.
std::string request_for(route const& row, std::string_view series, std::string_view token)
{
    auto path = replaced(std::string{row.pattern}, "{series}", series);
    path = replaced(path, "{id}", "111");
    path = replaced(path, "{number}", "1");
    path = replaced(path, "{name}", "plain");
    auto const verb = http::to_string(row.verb);
    return std::string{verb.data(), verb.size()} + ' ' + path +
           " HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k\r\nAuthorization: Bearer " +
           std::string{token} + "\r\n\r\n";
}

TEST_SUITE("app/routes_http")
{
    TEST_CASE("no method and path stands in the table twice")
    {
        std::set<std::pair<http::verb, std::string_view>> seen;
        for (auto const& row : routes())
            CHECK(seen.emplace(row.verb, row.pattern).second);
    }

    TEST_CASE_FIXTURE(patient_fixture, "without a good token everything under /v1 is 401")
    {
        for (auto const& row : routes())
        {
            if (!row.needs)
                continue;
            CAPTURE(row.pattern);
            auto const answer = ask(request_for(row, "dhl-paket", "nobody"));
            CHECK(answer.status == 401);
            CHECK(answer.problem() == "unauthenticated");
            CHECK(answer.field("www-authenticate") == "Bearer");
        }
        for (std::string_view const line :
             {"",
              "Authorization:\r\n",
              "Authorization: all\r\n",
              "Authorization: Bearer\r\n",
              "Authorization: Bearer \r\n",
              "Authorization: Basic all\r\n",
              "Authorization: Bearer\tall\r\n",
              "Authorization: Bearer all all\r\n",
              "Authorization: Bearer all,all\r\n",
              "Authorization: Bearerall\r\n"})
        {
            CAPTURE(line);
            auto const request =
                "GET /v1/series HTTP/1.1\r\nHost: a\r\n" + std::string{line} + "\r\n";
            CHECK(ask(request).status == 401);
        }
        CHECK(
            ask("GET /v1/series HTTP/1.1\r\nHost: a\r\nAuthorization: bearer  all\r\n\r\n")
                .status == 200
        );
    }

    TEST_CASE_FIXTURE(http_fixture, "another method gets 405 with the methods there are")
    {
        auto const allow = [this](std::string_view line) {
            auto const answer = ask(request(line));
            CHECK(answer.status == 405);
            return answer.field("allow");
        };
        CHECK(allow("GET /v1/series/dhl-paket/numbers") == "POST");
        CHECK(allow("HEAD /v1/series/dhl-paket/numbers") == "POST");
        CHECK(allow("DELETE /v1/series") == "GET, HEAD, POST");
        CHECK(allow("POST /v1/series/dhl-paket/numbers/1") == "GET, HEAD");
        CHECK(allow("GET /v1/issuances/111/confirm") == "POST");
        CHECK(allow("GET /v1/series/dhl-paket/events") == "POST");
        CHECK(allow("PUT /v1/series/dhl-paket") == "GET, HEAD, PATCH");
        CHECK(allow("POST /livez") == "GET, HEAD");
        CHECK(allow("POST /") == "GET, HEAD");
        CHECK(allow("TRACE /livez") == "GET, HEAD");
        CHECK(allow("get /livez") == "GET, HEAD");
        CHECK(allow("BREW /livez") == "GET, HEAD");
    }

    TEST_CASE_FIXTURE(http_fixture, "OPTIONS is told the methods of a path, without a token")
    {
        auto const answer = ask("OPTIONS /v1/series HTTP/1.1\r\nHost: localhost\r\n"
                                "Origin: https://shop.example\r\n\r\n");
        CHECK(answer.status == 204);
        CHECK(answer.field("allow") == "GET, HEAD, POST, OPTIONS");
        CHECK(answer.field("access-control-allow-origin") == "");
    }

    struct shop_fixture : http_fixture
    {
        shop_fixture() : http_fixture{{.cors_origins = {"https://shop.example"}}} {}
    };

    TEST_CASE_FIXTURE(shop_fixture, "pages of the origins that are set may ask, and no others")
    {
        auto const from = [this](std::string_view origin) {
            auto const lines = "Origin: " + std::string{origin} + "\r\n";
            return ask(request("GET /v1/series", lines)).field("access-control-allow-origin");
        };
        CHECK(from("https://shop.example") == "https://shop.example");
        CHECK(from("https://shop.example.org") == "");
        CHECK(from("http://shop.example") == "");
        CHECK(from("null") == "");
        auto const asked =
            ask("OPTIONS /v1/series/dhl-paket/numbers HTTP/1.1\r\nHost: localhost\r\n"
                "Origin: https://shop.example\r\n\r\n");
        CHECK(asked.field("access-control-allow-methods") == "POST, OPTIONS");
        CHECK(
            asked.field("access-control-allow-headers").find("Idempotency-Key") != std::string::npos
        );
    }

    TEST_CASE_FIXTURE(http_fixture, "HEAD has the fields of GET and no body")
    {
        for (auto const& row : routes())
        {
            if (row.verb != http::verb::get)
                continue;
            CAPTURE(row.pattern);
            auto const get = ask(request_for(row, "dhl-paket", "all"));
            auto const head = ask(replaced(request_for(row, "dhl-paket", "all"), "GET", "HEAD"));
            CHECK(head.status == get.status);
            auto fields = get.fields;
            if (row.pattern == "/metrics")  // it has other numbers every time
                fields["content-length"] = head.field("content-length");
            CHECK(head.fields == fields);
            auto client = connect();
            client.send(
                replaced(request_for(row, "dhl-paket", "all"), "GET", "HEAD") +
                "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
            );
            CHECK(client.receive(true).status == get.status);
            CHECK(client.receive().text() == R"(200 {"status":"ok"})");
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "a query has known parameters, each once")
    {
        auto const status = [this](std::string_view query) {
            return ask(request("GET /v1/issuances/111" + std::string{query})).outcome();
        };
        CHECK(status("") == "404 unknown-issuance");
        CHECK(status("?") == "404 unknown-issuance");
        CHECK(status("?numbers=true") == "404 unknown-issuance");
        CHECK(status("?num%62ers=tru%65") == "404 unknown-issuance");
        for (std::string_view const query :
             {"?numbers=true&numbers=true",
              "?numbers=true&n%75mbers=false",
              "?token=all",
              "?x",
              "?numbers",
              "?numbers=",
              "?numbers=1",
              "?numbers=TRUE",
              "?numbers=%zz",
              "?numbers=%4",
              "?numbers=%00",
              "?numbers=%ff",
              "?&",
              "??numbers=true"})
        {
            CAPTURE(query);
            CHECK(status(query) == "400 malformed-request");
        }
        CHECK(ask(request("GET /livez?x=1")).status == 400);
    }

    TEST_CASE_FIXTURE(http_fixture, "the parts of a path are percent-decoded once")
    {
        CHECK(ask(request("GET /v1/series/dhl%2dpaket")).status == 200);
        CHECK(ask(request("GET /v1/series/dhl%252dpaket")).problem() == "unknown-series");
        CHECK(ask(request("GET /v1/series/dhl-paket%2fblocks")).problem() == "unknown-series");
        CHECK(ask(request("GET /v1/series/dhl-paket%00")).problem() == "malformed-request");
        CHECK(ask(request("GET /v1/series/%ff")).problem() == "malformed-request");
        CHECK(ask(request("GET /v1/series/%d")).problem() == "malformed-request");
        CHECK(ask(request("GET /v1/series/100%")).problem() == "malformed-request");
        CHECK(ask(request("GET /v1/series/..")).problem() == "unknown-series");
    }
}

}  // namespace routes_test
