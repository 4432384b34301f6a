#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

#include <set>

namespace clerk_lists_test {

using namespace gapless::test;

struct lists_bench : clerk_bench
{
    /// Holds so many numbers for a while; the issuance's id.
    std::string hold(std::string const& series, int count, int seconds)
    {
        json_value const body{
            {"count", count}, {"hold_seconds", seconds}, {"reference", "order-1"}};
        fields const key{{"Idempotency-Key", "hold-" + std::to_string(++keys_)}};
        return json_of(
                   ask("POST", "/v1/series/" + series + "/numbers", boss, body.dump(), key), 201
        )["id"]
            .text();
    }

    /// Issues so many numbers of s, from 100 on, and prints them up to `last`.
    void print(int count, std::string const& last)
    {
        run("select count(*) from gapless.issue('s', " + std::to_string(count) + ")");
        json_value const body{
            {"kind", "printed"}, {"ranges", {{{"first", "100"}, {"last", last}}}}};
        json_of(ask("POST", "/v1/series/s/events", boss, body.dump()), 201);
    }

    std::string today() { return run("select (now() at time zone 'UTC')::date"); }

private:
    int keys_{};
};

TEST_SUITE("record/clerk_lists_process")
{
    TEST_CASE_FIXTURE(lists_bench, "open holds are listed by expiry, until they are settled")
    {
        auto const late = hold("s", 3, 7'000);
        auto const soon = hold("t", 2, 6'000);
        auto const items = json_of(get("/v1/holds", boss), 200)["items"];
        REQUIRE(items.size() == 2);
        CHECK(items[0]["issuance"] == soon);
        CHECK(items[0]["series"] == "t");
        CHECK(items[0]["held"] == 2);
        CHECK(items[0]["reference"] == "order-1");
        CHECK(
            items[1]["expires_at"] == json_of(get("/v1/issuances/" + late, boss), 200)["expires_at"]
        );

        auto const page = json_of(get("/v1/holds?limit=1", boss), 200);
        CHECK(page["items"][0]["issuance"] == soon);
        auto const rest = json_of(get("/v1/holds?limit=1&after=" + page["next"].text(), boss), 200);
        CHECK(rest["items"][0]["issuance"] == late);
        CHECK(rest["next"] == nullptr);
        CHECK(json_of(get("/v1/holds?series=s", boss), 200)["items"].size() == 1);

        json_value const first{{"ranges", {{{"first", "100"}, {"last", "101"}}}}};
        CHECK(ask("POST", "/v1/issuances/" + late + "/confirm", boss, first.dump()).status == 200);
        CHECK(json_of(get("/v1/holds?series=s", boss), 200)["items"][0]["held"] == 1);
        CHECK(ask("POST", "/v1/issuances/" + late + "/release", boss).status == 200);
        CHECK(json_of(get("/v1/holds?series=s", boss), 200)["items"].empty());
    }

    TEST_CASE_FIXTURE(lists_bench, "null is no field in a POST")
    {
        fields const key{{"Idempotency-Key", "null"}};
        auto const target = std::string{"/v1/series/s/blocks?confirm_warnings=other-size"};
        auto const first =
            ask("POST", target, boss, R"({"first":"500000","last":"500009","count":null})", key);
        CHECK(first.status == 201);
        auto const again =
            ask("POST", target, boss, R"({"first": "500000", "last": "500009"})", key);
        CHECK(again.status == 201);
        CHECK(again.body == first.body);
    }

    TEST_CASE_FIXTURE(lists_bench, "a page of holds ends among those that expire together")
    {
        std::set<std::string> held;
        for (int n = 0; n < 5; ++n)
            held.insert(hold(n % 2 == 0 ? "s" : "t", 1, 7'000));
        run("update gapless.hold set expires_at = now() + interval '1 hour'");
        std::set<std::string> seen;
        std::string after;
        for (int pages = 0; pages < 5; ++pages)
        {
            auto const page = json_of(get("/v1/holds?limit=2" + after, boss), 200);
            for (auto const& item : page["items"].elements())
                CHECK(seen.insert(item["issuance"].text()).second);
            if (page["next"] == nullptr)
                break;
            after = "&after=" + page["next"].text();
        }
        CHECK(seen == held);
    }

    TEST_CASE_FIXTURE(lists_bench, "a manifest closes its day over HTTP, once, with every number")
    {
        print(3, "102");
        std::string const path{"/v1/series/s/manifests"};
        auto const day = today();
        auto const body = json_value{{"date", day}}.dump();
        CHECK(outcome(get(path + "/" + day, boss)) == "404 not-found");
        auto const closed = ask("POST", path, boss, body);
        CHECK(
            json_of(closed, 201) ==
            json_value{
                {"series", "s"}, {"date", day}, {"count", 3}, {"numbers", {"100", "101", "102"}}}
        );
        auto const again = ask("POST", path, boss, body);
        CHECK(again.status == 200);
        CHECK(again.body == closed.body);
        CHECK(get(path + "/" + day, boss).body == closed.body);
        CHECK(
            ask("GET", path + "/" + day, boss, "", {{"Accept", "text/csv"}}).body ==
            "100\n101\n102\n"
        );
        auto const tomorrow = run("select '" + day + "'::date + 1");
        auto const ahead = ask("POST", path, boss, json_value{{"date", tomorrow}}.dump());
        CHECK(outcome(ahead) == "422 out-of-range");
        CHECK(ahead.body.find("in the time zone UTC") != std::string::npos);
        CHECK(run("select count(*) from gapless.manifest") == "1");
        auto const reader = create_token("r", {.scopes = {"read"}}).token;
        CHECK(outcome(ask("POST", path, reader, body)) == "403 forbidden");
        CHECK(get(path + "/" + day, reader).body == closed.body);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(lists_bench, "of a manifest a key keeps the status, not the numbers")
    {
        print(2, "101");
        fields const key{{"Idempotency-Key", "k"}};
        auto const body = json_value{{"date", today()}}.dump();
        auto const first = ask("POST", "/v1/series/s/manifests", boss, body, key);
        auto const again = ask("POST", "/v1/series/s/manifests", boss, body, key);
        CHECK(first.status == 201);
        CHECK(again.status == 201);
        CHECK(again.field("idempotency-replayed") == "true");
        CHECK(again.body == first.body);
        CHECK(
            run("select body from gapless.answered_request where status = 201 and key = "
                "gapless.key_to_uuid('k')") == ""
        );
    }
}

}  // namespace clerk_lists_test
