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

private:
    int keys_{};
};

TEST_SUITE("record/clerk_lists_process")
{
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

    TEST_CASE_FIXTURE(lists_bench, "of a manifest a key keeps the status, not the numbers")
    {
        run("select count(*) from gapless.issue('s', 2)");
        json_of(
            ask("POST",
                "/v1/series/s/events",
                boss,
                R"({"kind":"printed","ranges":[{"first":"100","last":"101"}]})"),
            201
        );
        fields const key{{"Idempotency-Key", "k"}};
        auto const body =
            json_value{{"date", run("select (now() at time zone 'UTC')::date")}}.dump();
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
