#include "http/http_fixture.hpp"
#include "http/request_shares.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace gapless;

TEST_SUITE("http/request_shares")
{
    TEST_CASE("a client gets its share and no more, others get theirs")
    {
        request_shares shares{2};
        auto first = shares.take("a");
        auto second = shares.take("a");
        REQUIRE(first.has_value());
        REQUIRE(second.has_value());
        auto const third = shares.take("a");
        REQUIRE(third.has_error());
        CHECK(third.error().kind == refusal_kind::overloaded);
        CHECK(shares.take("b").has_value());
    }

    TEST_CASE("a place is given back once, by whoever holds it last")
    {
        request_shares shares{1};
        {
            auto taken = shares.take("a");
            REQUIRE(taken.has_value());
            auto const moved = std::move(*taken);
            CHECK(shares.take("a").has_error());
        }
        CHECK(shares.take("a").has_value());
        CHECK(shares.take("a").has_value());
    }

    TEST_CASE("beyond its share a client's reads are refused, its issue requests are not")
    {
        http_limits limits;
        limits.client_requests_max = 0;
        test::http_fixture http{limits};
        auto const refused = http.ask("GET /v1/series", "");
        CHECK(refused.status == 503);
        CHECK(refused.problem() == "overloaded");
        CHECK(refused.body.find(R"("executed":"no")") != std::string::npos);
        CHECK(http.ask(test::http_fixture::issue_request("k")).status == 201);
        CHECK(http.ask("GET /livez", "").status == 200);
        // Nobody has looked its token up yet: the address counts.
        http.service.remembers = false;
        CHECK(http.ask("GET /v1/series", "").problem() == "overloaded");
    }
}
