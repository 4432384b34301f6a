#include "harness/http_fixture.hpp"
#include "http/concurrency_limit.hpp"

#include <doctest/doctest.h>

#include <utility>
#include <vector>

using namespace gapless;

TEST_SUITE("http/concurrency_limit_http")
{
    TEST_CASE("a client takes what nobody needs, but not the places of those below the limit")
    {
        concurrency_limit limit{2, 6};
        std::vector<result<concurrency_limit::place>> taken;
        auto const takes = [&](std::string const& client) {
            taken.push_back(limit.take(client));
            auto const got = taken.back().has_value();
            if (!got)
            {
                CHECK(taken.back().error().kind == refusal_kind::overloaded);
                taken.pop_back();
            }
            return got;
        };
        for (int n = 0; n < 6; ++n)
            CHECK(takes("a"));
        CHECK_FALSE(takes("a"));
        CHECK(takes("b"));
        CHECK(takes("b"));
        CHECK_FALSE(takes("b"));
        CHECK(takes("c"));
        taken.clear();
        CHECK(takes("a"));
    }

    TEST_CASE("a place is given back once, by whoever holds it last")
    {
        concurrency_limit limit{1, 3};
        auto const others = std::pair{limit.take("b"), limit.take("c")};
        {
            auto taken = limit.take("a");
            REQUIRE(taken.has_value());
            auto const moved = std::move(*taken);
            CHECK(limit.take("a").has_error());
        }
        CHECK(limit.take("a").has_value());
        CHECK(limit.take("a").has_value());
    }

    TEST_CASE("beyond its limit a client's reads are refused, its issue requests are not")
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
