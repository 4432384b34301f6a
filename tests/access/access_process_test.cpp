#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

namespace access_test {

using namespace gapless::test;

std::string secret_of(std::string const& token)
{
    return token.substr(token.rfind('_') + 1, 43);
}

/// The token in a browser's cookie, at a page of our own.
clerk_bench::fields from_browser(std::string const& token, std::string const& host)
{
    return {{"Cookie", "gapless_session=" + token}, {"Origin", "http://" + host}};
}

TEST_SUITE("process/access")
{
    TEST_CASE_FIXTURE(clerk_bench, "a token made over HTTP works until it is taken out of force")
    {
        auto const made = json_of(
            ask("POST", "/v1/tokens", boss, R"({"name":"shop","scopes":["read"],"series":["s"]})"),
            201
        );
        auto const token = made["token"].text();
        CHECK(get("/v1/series/s", token).status == 200);
        CHECK(get("/v1/series/t", token).status == 404);
        auto const listed = json_of(get("/v1/tokens", boss), 200);
        CHECK(listed["items"].size() == 2);
        CHECK(listed["items"][1]["name"] == "shop");
        CHECK(listed["next"] == nullptr);
        CHECK(listed.dump().find(secret_of(token)) == std::string::npos);

        auto const path = "/v1/tokens/" + made["id"].text();
        CHECK(ask("DELETE", path, boss).status == 204);
        CHECK(outcome(get("/v1/series/s", token)) == "401 unauthenticated");  // at once
        CHECK(ask("DELETE", path, boss).status == 204);
        auto const of_t = create_token("of t", {.series = {{"t"}}}).token;
        for (std::string const id : {"1", "2", "999"})
            CHECK(outcome(ask("DELETE", "/v1/tokens/" + id, of_t)) == "404 not-found");
        CHECK(outcome(ask("DELETE", "/v1/tokens/999", boss)) == "404 not-found");
        for (std::string const series : {"null", R"(["t"])"})
            CHECK(
                outcome(
                    ask("POST",
                        "/v1/tokens",
                        of_t,
                        R"({"name":"boss","scopes":["read"],"series":)" + series + "}")
                ) == "403 forbidden"
            );
        CHECK(
            run("select string_agg(action || ' ' || actor, ', ' order by audit_id) from "
                "gapless.audit_log where action like 'token.%' and request_id is not null"
            ) == "token.create token:boss, token.revoke token:boss"
        );
    }

    TEST_CASE_FIXTURE(
        clerk_bench, "acts are read newest first, by actor, subject and time, in pages"
    )
    {
        CHECK(ask("PATCH", "/v1/series/s", boss, R"({"low_water":"5"})").status == 200);
        CHECK(
            ask("POST",
                "/v1/series/t/blocks",
                boss,
                R"({"first":"4901214213405250000","last":"4901214213405259999",)"
                R"("confirm_warnings":["other-length","other-prefix","other-size"]})")
                .status == 201
        );
        auto const acts = json_of(get("/v1/audit?actor=token:boss", boss), 200)["items"];
        REQUIRE(acts.size() == 2);
        CHECK(acts[0]["action"] == "block.load");
        CHECK(acts[0]["before"] == nullptr);
        CHECK(acts[0]["after"]["first"] == "4901214213405250000");
        CHECK(acts[1]["action"] == "series.change");
        CHECK(acts[1]["after"]["low_water"] == "5");
        CHECK(acts[1]["before"]["low_water"] == nullptr);
        CHECK(acts[1]["request_id"].is_string());
        CHECK(acts[1]["token"] == "1");
        CHECK(json_of(get("/v1/audit?subject=s&actor=token:boss", boss), 200)["items"].size() == 1);

        auto const page = json_of(get("/v1/audit?limit=1", boss), 200);
        CHECK(page["items"][0] == acts[0]);
        auto const next = page["next"].text();
        CHECK(json_of(get("/v1/audit?limit=1&after=" + next, boss), 200)["items"][0] == acts[1]);

        auto const later = acts[0]["at"].text();
        auto const count = [&](std::string const& query) {
            return json_of(get("/v1/audit?actor=token:boss&" + query, boss), 200)["items"].size();
        };
        CHECK(count("from=" + later) == 1);
        CHECK(count("to=" + later) == 2);
        CHECK(count("from=2099-01-01") == 0);
        CHECK(count("to=2001-01-01") == 0);
        CHECK(
            outcome(get("/v1/audit", create_token("x", {.scopes = {"read"}}).token)) ==
            "403 forbidden"
        );
    }

    TEST_CASE_FIXTURE(clerk_bench, "a session is the token's, at every instance, until it ends")
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
