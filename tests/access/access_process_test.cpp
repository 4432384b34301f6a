#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

namespace access_test {

using namespace gapless::test;

/// The token in a browser's cookie, at a page of our own.
clerk_bench::fields from_browser(std::string const& token, std::string const& host)
{
    return {{"Cookie", "gapless_session=" + token}, {"Origin", "http://" + host}};
}

TEST_SUITE("access/access_process")
{
    TEST_CASE_FIXTURE(
        clerk_bench,
        "a session is the token's, at every instance, until it ends" * doctest::test_suite("night")
    )
    {
        start_instances(2);
        auto const shop = create_token("shop", {.scopes = {"issue", "read"}}).token;
        auto const begun =
            ask("POST", "/v1/session", "", json_value{{"token", shop}}.dump(), {}, /*at=*/0);
        CHECK(begun.status == 204);
        CHECK(begun.field("set-cookie").starts_with("gapless_session=" + shop + "; "));
        auto const issue = [&](std::size_t at) {
            auto lines = from_browser(shop, instance(at).address());
            lines.emplace_back("Idempotency-Key", "k" + std::to_string(at));
            return outcome(ask("POST", "/v1/series/s/numbers", "", "{}", lines, at));
        };
        CHECK(issue(0) == "201 ");
        CHECK(issue(1) == "201 ");
        kill_and_restart(1);
        CHECK(issue(1) == "201 ");
        auto const foreign =
            ask("POST",
                "/v1/series/s/numbers",
                "",
                "{}",
                {{"Cookie", "gapless_session=" + shop},
                 {"Origin", "http://evil.example"},
                 {"Idempotency-Key", "evil"}});
        CHECK(outcome(foreign) == "403 forbidden");
        auto const patch =
            ask("PATCH",
                "/v1/series/s",
                "",
                R"({"paused":true})",
                from_browser(shop, instance(0).address()));
        CHECK(outcome(patch) == "403 forbidden");  // the token lacks the scope

        CHECK(ask("DELETE", "/v1/tokens/2", boss).status == 204);
        CHECK(issue(0) == "401 unauthenticated");
        CHECK(eventually([&] { return issue(1) == "401 unauthenticated"; }));
        CHECK(ask("DELETE", "/v1/session", "").status == 204);
        CHECK(verify() == "gapless");
    }
}

}  // namespace access_test
