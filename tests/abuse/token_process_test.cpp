#include "access/token_text.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

namespace token_test {

using namespace gapless::test;
using namespace std::chrono_literals;

// What is known of a token is believed for a second here; the rest is for a busy machine.
constexpr auto token_life = "1s";
constexpr auto revocation_limit = 5s;

/// One instance and a client that issues all the time.
struct token_bench : database_bench
{
    token_bench()
    {
        create_series("s", {{100, 99'999}});
        start_instances(1, {"--token-life", token_life});
    }

    /// "201", or "<status> <problem> <executed>".
    std::string issue(recording_client& client)
    {
        auto const tried = client.issue_once({"s", make_key(dice_), 1}, 0);
        auto const status = std::to_string(tried.status);
        return tried.fate == attempt_fate::ok ? status
                                              : status + " " + tried.problem + " " + tried.executed;
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

    /// How long it takes until the client is refused, while it issues all the time.
    std::chrono::steady_clock::duration time_until_refused(recording_client& client)
    {
        auto const began = std::chrono::steady_clock::now();
        std::string last;
        CHECK(eventually([&] { return (last = issue(client)) != "201"; }));
        CHECK(last == "401 unauthenticated no");
        return std::chrono::steady_clock::now() - began;
    }

private:
    std::mt19937_64 dice_{11};
};

TEST_SUITE("abuse/token_process")
{
    TEST_CASE_FIXTURE(token_bench, "a revoked token is refused within five seconds, and for ever")
    {
        auto const shop = create_token("shop");
        auto shopping = client(shop);
        auto returning = client(create_token("returns"));
        CHECK(issue(shopping) == "201");
        CHECK(issue(returning) == "201");

        run("select gapless.token_revoke(1, 'test')");
        CHECK(time_until_refused(shopping) < revocation_limit);
        CHECK(issue(shopping) == "401 unauthenticated no");
        CHECK(issue(returning) == "201");
        CHECK(verdict() == "gapless, clean");
    }

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
