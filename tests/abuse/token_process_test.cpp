#include "access/token_text.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

namespace token_test {

using namespace gapless::test;
using namespace std::chrono_literals;

/// One instance and a series.
struct token_bench : database_bench
{
    token_bench()
    {
        create_series("s", {{100, 99'999}});
        start_instances(1);
    }

    /// "<status> <body>" of a request that carries that token.
    std::string ask(std::string const& token)
    {
        http_client asking{instance(0).address()};
        http_request const wanted{
            .target = "/v1/series/s", .fields = {{"Authorization", "Bearer " + token}}};
        auto const got = asking.exchange(wanted).answer;
        return got ? std::to_string(got->status) + ' ' + got->body : "nothing";
    }
};

TEST_SUITE("abuse/token_process")
{
    TEST_CASE_FIXTURE(token_bench, "whoever knows the secret is told why it opens nothing")
    {
        auto const gone = create_token("gone").token;
        run("select gapless.token_revoke(1, 'test')");
        auto const old = create_token("old", {.lives = -1s}).token;
        CHECK(ask(gone).find("was revoked") != std::string::npos);
        CHECK(ask(old).find("has expired") != std::string::npos);

        auto const shop = create_token("shop").token;
        auto const guess = gapless::to_token_text(3, gapless::make_token_secret());
        auto const unknown = gapless::to_token_text(9, gapless::make_token_secret());
        for (auto const& foreign : {guess, unknown})
        {
            CHECK(ask(foreign).starts_with("401"));
            CHECK(ask(foreign).find("is unknown here") != std::string::npos);
            CHECK(ask(shop).starts_with("200"));  // a guess takes nothing from it
        }
        auto mistyped = guess;
        mistyped.back() = mistyped.back() == 'a' ? 'b' : 'a';
        CHECK(ask(mistyped).find("is malformed") != std::string::npos);
    }
}

}  // namespace token_test
