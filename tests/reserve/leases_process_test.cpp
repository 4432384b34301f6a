#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

namespace leases_test {

using namespace gapless::test;

constexpr auto holder = "0b7e7a52-2a8c-4a0e-9a51-5a7f1d4c7f90";
constexpr auto lease = "5f0c6a1e-93b1-4f27-8a34-0f3f3b5be1a2";

/// An instance elsewhere has the numbers 100 to 109 of s on lease.
struct leases_bench : clerk_bench
{
    leases_bench()
    {
        auto const who = "'" + std::string{holder} + "'";
        run("select * from gapless.lease_claim(" + who +
            ", sha256('s'), 0, gen_random_uuid(), 'packing-1')");
        auto const take =
            "set transaction isolation level serializable; select * from gapless.lease_take(1, " +
            who + ", sha256('s'), 1, '" + lease + "', 10, interval '8 hours')";
        answered_at = run("select to_char(date_trunc('second', clock_timestamp() + interval '1 s') "
                          "at time zone 'UTC', "
                          "'YYYY-MM-DD\"T\"HH24:MI:SS') || '.123456Z'");
        // The instance writes as well: one of two such transactions has to be repeated.
        std::string taken;
        REQUIRE(eventually([&] { return !(taken = run(take)).starts_with("40001"); }));
        REQUIRE(taken.find("refused") == std::string::npos);
    }

    /// Settles an answer with the token's key for the numbers of these ordinals.
    std::string settle(int ordinal, int count, std::string const& key)
    {
        return run(
            "set transaction isolation level serializable; select outcome from "
            "gapless.lease_settle('" +
            std::string{lease} + "', '" + holder + "', sha256('s'), array[" +
            std::to_string(ordinal) + "]::bigint[], array[" + std::to_string(count) +
            "], array[(select owner_id from gapless.token_owner where name = 'token:boss')], "
            "array[gapless.key_to_uuid('" +
            key + "')], array['order-1'], array['" + answered_at + "']::timestamptz[])"
        );
    }

    std::string answered_at;  // after the token was created
};

TEST_SUITE("reserve/leases_process")
{
    TEST_CASE_FIXTURE(leases_bench, "what was drawn is found by the id that it was answered with")
    {
        CHECK(json_of(get("/v1/holds", boss), 200)["items"].empty());  // a lease is none
        CHECK(outcome(get("/v1/issuances/90112", boss)) == "404 unknown-issuance");
        CHECK(settle(2, 3, "order-1") == "settled");
        auto const found = json_of(get("/v1/issuances/90112", boss), 200);
        CHECK(found["id"] == "90112");
        CHECK(found["reserve"] == true);
        CHECK(found["state"] == "issued");
        CHECK(found["issued_at"] == answered_at);
        CHECK(found["numbers"] == json_value{"101", "102", "103"});
        CHECK(found["reference"] == "order-1");
        CHECK(get("/v1/issuances/90112/labels.zpl", boss).status == 200);
        CHECK(ask("POST", "/v1/issuances/90112/confirm", boss).status == 409);
        CHECK(outcome(get("/v1/issuances/90113", boss)) == "404 unknown-issuance");

        // The same request again, now that the database is there.
        json_value const body{{"count", 3}, {"reference", "order-1"}};
        fields const key{{"Idempotency-Key", "order-1"}};
        auto const again = ask("POST", "/v1/series/s/numbers", boss, body.dump(), key);
        CHECK(again.status == 201);
        CHECK(again.field("idempotency-replayed") == "true");
        CHECK(json_value::parse(again.body) == found);
        CHECK(json_of(get("/v1/verify/s", boss), 200)["findings"].empty());
    }
}

}  // namespace leases_test
