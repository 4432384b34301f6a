#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

namespace clerk_lists_test {

using namespace gapless::test;

TEST_SUITE("record/clerk_lists_process")
{
    TEST_CASE_FIXTURE(clerk_bench, "null is no field in a POST")
    {
        fields const key{{"Idempotency-Key", "k"}};
        auto const target = std::string{"/v1/series/s/blocks?confirm_warnings=other-size"};
        auto const first =
            ask("POST", target, boss, R"({"first":"500000","last":"500009","count":null})", key);
        CHECK(first.status == 201);
        auto const again =
            ask("POST", target, boss, R"({"first": "500000", "last": "500009"})", key);
        CHECK(again.status == 201);
        CHECK(again.body == first.body);
    }

    TEST_CASE_FIXTURE(clerk_bench, "of a manifest a key keeps the status, not the numbers")
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
