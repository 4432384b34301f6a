#include "harness/http_fixture.hpp"
#include "http/session_cookie.hpp"

#include <doctest/doctest.h>

namespace cookie_handlers_test {

using namespace gapless;
using namespace gapless::test;

/// A request of a browser: no Authorization.
std::string browser(
    std::string_view line,
    std::string_view lines = {},
    std::string_view body = {},
    std::string_view host = "localhost:8080"
)
{
    auto text = std::string{line} + " HTTP/1.1\r\nHost: " + std::string{host} + "\r\n";
    text += lines;
    if (!body.empty())
        text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
                "\r\n";
    return text + "\r\n" + std::string{body};
}

constexpr std::string_view cookie{"Cookie: theme=dark; gapless_session=all; x=y\r\n"};
constexpr std::string_view own{"Origin: http://localhost:8080\r\n"};
constexpr std::string_view numbers{"POST /v1/series/dhl-paket/numbers"};

/// The token "all" in a cookie, and these lines.
std::string with_cookie(std::string_view lines)
{
    return std::string{cookie} + "Idempotency-Key: k\r\n" + std::string{lines};
}

TEST_SUITE("access/cookie_handlers_http")
{
    TEST_CASE_FIXTURE(http_fixture, "a browser gets its token as a cookie for twelve hours")
    {
        auto const answer = ask(browser("POST /v1/session", own, R"({"token":"all"})"));
        CHECK(answer.status == 204);
        CHECK(answer.body.empty());
        CHECK(answer.field("content-length").empty());
        CHECK(
            answer.field("set-cookie") ==
            "gapless_session=all; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"
        );
        CHECK(ask(browser("GET /v1/series", "Cookie: gapless_session=all\r\n")).status == 200);
    }

    TEST_CASE_FIXTURE(http_fixture, "the cookie is for TLS alone unless it is on loopback")
    {
        auto const given = [this](std::string_view host) {
            auto const got = ask(browser("POST /v1/session", "", R"({"token":"all"})", host));
            REQUIRE(got.status == 204);
            return got.field("set-cookie").ends_with("; SameSite=Strict; Secure");
        };
        for (std::string_view const host :
             {"localhost", "LOCALHOST:1", "127.0.0.1", "127.8.8.8:8080", "[::1]", "[::1]:8080"})
            CHECK_FALSE(given(host));
        for (std::string_view const host :
             {"gapless.example",
              "localhost.example",
              "127.0.0.1.example:80",
              "10.0.0.1",
              "[2001:db8::1]:80"})
            CHECK(given(host));
    }

    TEST_CASE_FIXTURE(http_fixture, "a session says whose it is and where days begin")
    {
        service.database.environment = "production";
        service.database.last_notice = 17;
        CHECK(
            ask(browser("GET /v1/session", cookie)).text() ==
            R"(200 {"id":"1","name":"all","scopes":["issue","read","load","admin"],"series":null,)"
            R"("time_zone":"UTC","today":"2026-11-20","environment":"production",)"
            R"("last_notice":"17"})"
        );
        service.database.environment.reset();
        service.add_token(
            "loader",
            static_cast<unsigned>(scope::load),
            std::vector<std::string>{"dhl-paket", "gls"}
        );
        auto const asked = ask(browser("GET /v1/session", "Authorization: Bearer loader\r\n"));
        CHECK(asked.body.ends_with(
            R"("name":"loader","scopes":["load"],"series":["dhl-paket","gls"],"time_zone":"UTC",)"
            R"("today":"2026-11-20","environment":null,"last_notice":"17"})"
        ));
    }

    TEST_CASE_FIXTURE(http_fixture, "a cookie that only reads lasts longer, one that acts does not")
    {
        auto const renewed = [this](std::string_view lines) {
            auto const got = ask(browser("GET /v1/session", lines));
            REQUIRE(got.status == 200);
            return got.field("set-cookie");
        };
        service.add_token("wall", static_cast<unsigned>(scope::read));
        CHECK(
            renewed("Cookie: gapless_session=wall\r\n") ==
            "gapless_session=wall; Path=/; Max-Age=43200; HttpOnly; SameSite=Strict"
        );
        CHECK(renewed("Authorization: Bearer wall\r\n").empty());
        CHECK(renewed(cookie).empty());
        service.add_token("clerk", static_cast<unsigned>(scope::read) | 4U);
        CHECK(renewed("Cookie: gapless_session=clerk\r\n").empty());
    }

    TEST_CASE_FIXTURE(http_fixture, "a session counts as a request of a token with a rate")
    {
        service.add_token("slow", all_scopes, std::nullopt, {.rate = 1});
        service.refuses_rate = refusal{refusal_kind::too_many_requests, "slowly"};
        auto const told = ask(browser("GET /v1/session", "Cookie: gapless_session=slow\r\n"));
        CHECK(told.outcome() == "429 too-many-requests");
        auto const begun = ask(browser("POST /v1/session", own, R"({"token":"slow"})"));
        CHECK(begun.outcome() == "429 too-many-requests");
        CHECK(begun.field("set-cookie").empty());
    }

    TEST_CASE_FIXTURE(http_fixture, "by cookie no page of another port or host reads anything")
    {
        auto const asked = [this](std::string_view lines) {
            return ask(browser("GET /v1/series", lines)).outcome();
        };
        std::string const site{"Sec-Fetch-Site: "};
        for (std::string const same : {"same-origin", "none"})
            CHECK(asked(std::string{cookie} + site + same + "\r\n") == "200 ");
        for (std::string const other : {"same-site", "cross-site", "", "same-origin, none"})
        {
            CHECK(asked(std::string{cookie} + site + other + "\r\n") == "403 forbidden");
            CHECK(asked("Authorization: Bearer all\r\n" + site + other + "\r\n") == "200 ");
        }
        CHECK(
            asked(std::string{cookie} + site + "none\r\n" + site + "none\r\n") ==
            "400 malformed-request"
        );
        for (auto const* const path : {"GET /v1/series", "GET /", "GET /livez", "GET /none"})
            CHECK(
                ask(browser(path, cookie)).field("cross-origin-resource-policy") == "same-origin"
            );
    }

    TEST_CASE_FIXTURE(http_fixture, "a session that ends takes the cookie away, also where none is")
    {
        for (auto const& lines : {std::string{}, std::string{own}, with_cookie(own)})
        {
            auto const answer = ask(browser("DELETE /v1/session", lines));
            CHECK(answer.status == 204);
            CHECK(
                answer.field("set-cookie") ==
                "gapless_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
            );
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "a token that is not in force begins no session")
    {
        auto const answer = ask(browser("POST /v1/session", own, R"({"token":"none"})"));
        CHECK(answer.outcome() == "401 unauthenticated");
        CHECK(answer.field("set-cookie").empty());
        CHECK(ask(browser("POST /v1/session", own, "{}")).outcome() == "400 malformed-request");
        CHECK(ask(browser("POST /v1/session", own)).outcome() == "400 malformed-request");
        CHECK(
            ask(browser("POST /v1/session", own, R"({"token":"all","x":1})")).outcome() ==
            "400 malformed-request"
        );
    }

    TEST_CASE_FIXTURE(http_fixture, "a page of another host neither begins nor ends a session")
    {
        constexpr std::string_view foreign{"Origin: https://evil.example\r\n"};
        CHECK(
            ask(browser("POST /v1/session", foreign, R"({"token":"all"})")).outcome() ==
            "403 forbidden"
        );
        CHECK(ask(browser("DELETE /v1/session", foreign)).outcome() == "403 forbidden");
        CHECK(ask(browser("DELETE /v1/session", cookie)).outcome() == "403 forbidden");
    }

    TEST_CASE_FIXTURE(http_fixture, "by cookie, what changes something needs an Origin of our own")
    {
        CHECK(ask(browser(numbers, with_cookie(own), "{}")).status == 201);
        for (std::string_view const lines :
             {"",
              "Origin: null\r\n",
              "Origin: http://localhost\r\n",
              "Origin: http://localhost:8081\r\n",
              "Origin: http://localhost:8080.evil.example\r\n",
              "Origin: ftp://localhost:8080\r\n",
              "Origin: localhost:8080\r\n",
              "Origin: http://\r\n",
              "Referer: http://localhost:8080/\r\n"})
        {
            CAPTURE(lines);
            CHECK(ask(browser(numbers, with_cookie(lines), "{}")).outcome() == "403 forbidden");
        }
        CHECK(service.issued.size() == 1);
        CHECK(
            ask(browser(numbers, with_cookie(std::string{own} + std::string{own}), "{}"))
                .outcome() == "400 malformed-request"
        );
        // Not asked where nothing changes, or where a program shows its token itself.
        CHECK(ask(browser("GET /v1/series", cookie)).status == 200);
        CHECK(
            ask(browser(
                    numbers,
                    "Authorization: Bearer all\r\nIdempotency-Key: k2\r\n"
                    "Origin: https://evil.example\r\n",
                    "{}"
                ))
                .status == 201
        );
    }

    TEST_CASE_FIXTURE(
        http_fixture, "what is meant for one token is not done by the cookie of another"
    )
    {
        auto const meant = [this](std::string_view line, std::string_view id) {
            auto const lines = std::string{own} + "Gapless-Token-Id: " + std::string{id} + "\r\n";
            return ask(browser(line, with_cookie(lines), line == numbers ? "{}" : "")).outcome();
        };
        for (auto const remembers : {true, false})  // else the database is asked whose token it is
        {
            service.remembers = remembers;
            CHECK(meant("GET /v1/series", "1") == "200 ");
            for (std::string_view const other : {"2", "01", "", "all"})
            {
                CAPTURE(other);
                CHECK(meant("GET /v1/series", other) == "401 unauthenticated");
                CHECK(meant(numbers, other) == "401 unauthenticated");
            }
        }
        CHECK(service.issued.empty());
        CHECK(meant(numbers, "1") == "201 ");
        CHECK(meant(numbers, "1\r\nGapless-Token-Id: 1") == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(http_fixture, "an Origin is compared without its usual port and case")
    {
        auto const asked = [this](std::string_view host, std::string_view origin) {
            auto const lines = with_cookie("Origin: " + std::string{origin} + "\r\n");
            return ask(browser(numbers, lines, "{}", host)).status;
        };
        CHECK(asked("gapless.example", "https://gapless.example") == 201);
        CHECK(asked("gapless.example:443", "https://gapless.example") == 201);
        CHECK(asked("Gapless.example", "HTTPS://gapless.EXAMPLE:443") == 201);
        CHECK(asked("gapless.example", "http://gapless.example:80") == 201);
        CHECK(asked("gapless.example", "https://gapless.example:80") == 403);
        CHECK(asked("gapless.example:8443", "https://gapless.example") == 403);
    }

    TEST_CASE_FIXTURE(http_fixture, "Authorization wins over the cookie, also a bad one")
    {
        service.add_token("reader", static_cast<unsigned>(scope::read));
        auto const asked = [this](std::string_view authorization) {
            return ask(browser(numbers, with_cookie(own) + std::string{authorization}, "{}"))
                .outcome();
        };
        CHECK(asked("Authorization: Bearer reader\r\n") == "403 forbidden");
        CHECK(asked("Authorization: Bearer none\r\n") == "401 unauthenticated");
        CHECK(asked("Authorization: Basic x\r\n") == "401 unauthenticated");
        CHECK(asked("") == "201 ");
    }

    TEST_CASE_FIXTURE(http_fixture, "a cookie that is there twice is none")
    {
        CHECK(
            ask(browser("GET /v1/series", "Cookie: gapless_session=all; gapless_session=other\r\n"))
                .outcome() == "401 unauthenticated"
        );
        CHECK(
            ask(browser("GET /v1/series", std::string{cookie} + std::string{cookie})).outcome() ==
            "400 malformed-request"
        );
        CHECK(
            ask(browser("GET /v1/series", "Cookie: my_gapless_session=all\r\n")).outcome() ==
            "401 unauthenticated"
        );
    }

    TEST_CASE_FIXTURE(strict_fixture, "tokens that fail are counted alike, in cookies and sessions")
    {
        constexpr std::string_view bad{"Cookie: gapless_session=none\r\n"};
        CHECK(ask(browser("GET /v1/series", bad)).status == 401);
        CHECK(ask(browser("POST /v1/session", own, R"({"token":"none"})")).status == 401);
        CHECK(ask(browser("GET /v1/series", bad)).status == 429);
        auto const told = ask(browser("POST /v1/session", own, R"({"token":"none"})"));
        CHECK(told.outcome() == "429 too-many-requests");
        CHECK_FALSE(told.field("retry-after").empty());
        CHECK(ask(browser("POST /v1/session", own, R"({"token":"all"})")).status == 204);
    }

    TEST_CASE_FIXTURE(http_fixture, "a path that does not exist is hidden from who shows no token")
    {
        CHECK(ask(browser("GET /v1/nothing")).outcome() == "401 unauthenticated");
        CHECK(ask(browser("GET /v1/nothing", cookie)).outcome() == "404 not-found");
        auto const wrong = ask(browser("PUT /v1/session"));
        CHECK(wrong.outcome() == "405 method-not-allowed");
        CHECK(wrong.field("allow") == "POST, GET, HEAD, DELETE");
    }
}

}  // namespace cookie_handlers_test
