#include "harness/desk_bench.hpp"

#include <doctest/doctest.h>

using namespace gapless::test;

TEST_SUITE("process/block_life")
{
    TEST_CASE_FIXTURE(desk_bench, "a withdrawn block is told as such, a used one names its numbers")
    {
        create_series("s", {{1000, 1999}, {2000, 2999}});
        auto const withdrawn = act(2, "withdraw", "wrong series");
        CHECK(withdrawn.outcome() == "200");
        CHECK(withdrawn.body["state"] == "withdrawn");
        CHECK(withdrawn.body["remaining"] == "0");
        CHECK(withdrawn.body["closed_reason"] == "wrong series");
        CHECK(act(2, "withdraw").outcome() == "200");  // repeatable
        CHECK(act(2, "recall").outcome() == "409 state-conflict");

        CHECK(issue("a") == "1000");
        auto const left = act(1, "withdraw");
        CHECK(left.outcome() == "409 state-conflict");
        CHECK(left.body["detail"].text().find("1000") != std::string::npos);
        CHECK(queue() == "1000…1999 open 2000…2999 withdrawn");
        CHECK(ask("GET", "/v1/series/s/numbers/2500").outcome() == "404 unknown-number");
    }

    TEST_CASE_FIXTURE(desk_bench, "acts on a block say why, and only on blocks of their series")
    {
        create_series("s", {{1000, 1999}});
        create_series("u", {{1000, 1999}});
        for (std::string const verb : {"close", "withdraw", "recall"})
        {
            CAPTURE(verb);
            CHECK(act(2, verb).outcome() == "404 not-found");
            CHECK(act(9, verb).outcome() == "404 not-found");
            CHECK(act(1, verb, " ").outcome() == "422 out-of-range");
            CHECK(act(1, verb, std::string(256, 'x')).outcome() == "422 out-of-range");
            auto const path = "/v1/series/s/blocks/1/" + verb;
            CHECK(ask("POST", path).outcome() == "400 malformed-request");
            CHECK(ask("POST", path, R"({"reason":7})").outcome() == "400 malformed-request");
            auto const reader = create_token("reader " + verb, {.scopes = {"read", "issue"}});
            CHECK(ask_as(reader, "POST", path, R"({"reason":"x"})").outcome() == "403 forbidden");
        }
        CHECK(act(1, "close", std::string(255, 'x')).outcome() == "200");
    }

    TEST_CASE_FIXTURE(desk_bench, "a recalled block and its numbers say so, and so does its hold")
    {
        create_series("s", {{1000, 1999}, {2000, 2999}});
        CHECK(issue("sold", 2) == "1000 1001");
        CHECK(issue("held", 3, 600) == "1002 1003 1004");
        auto const held = issuance;
        auto const recalled = act(1, "recall", "the carrier rejects it");
        CHECK(recalled.outcome() == "200");
        CHECK(recalled.body["state"] == "closed");
        CHECK(recalled.body["closed_reason"] == "the carrier rejects it");
        CHECK(recalled.body["recalled_at"].is_string());
        CHECK(recalled.body["remaining"] == "0");
        CHECK(act(1, "recall", "once more").body == recalled.body);

        CHECK(
            ask("POST", "/v1/issuances/" + held + "/confirm").outcome() == "409 issuance-settled"
        );
        CHECK(number("1000").body["state"] == "issued");
        CHECK(number("1003").body["state"] == "voided");
        CHECK(number("1003").body["recalled"] == true);
        CHECK(ask("GET", "/v1/numbers/1001").body["recalled"] == true);
        CHECK_FALSE(number("2000").body.contains("recalled"));
        CHECK(proof() == "gapless");
    }

    TEST_CASE_FIXTURE(desk_bench, "numbers of an old system are told as issued elsewhere")
    {
        create_series("s", {});
        for (std::string const until : {"1999", "999", "2000", "14x0"})
        {
            CAPTURE(until);
            CHECK(
                load({{"first", "1000"}, {"last", "1999"}, {"issued_until", until}}).outcome() ==
                "422 out-of-range"
            );
        }
        auto const loaded = load({{"first", "1000"}, {"last", "1999"}, {"issued_until", "1399"}});
        REQUIRE(loaded.outcome() == "201");
        CHECK(loaded.body["count"] == 1000);
        CHECK(loaded.body["elsewhere"] == "400");
        CHECK(loaded.body["remaining"] == "600");
        CHECK(loaded.body["next"] == "1400");

        auto const elsewhere = number("1399");
        CHECK(elsewhere.status == 200);
        CHECK(elsewhere.body["state"] == "elsewhere");
        CHECK(elsewhere.body["ordinal"] == nullptr);
        CHECK(elsewhere.body["issuance"] == nullptr);
        CHECK(elsewhere.body["block"] == "1");
        CHECK(ask("GET", "/v1/numbers/1000").body["state"] == "elsewhere");
        CHECK(
            ask("POST",
                "/v1/series/s/events",
                R"({"kind":"voided","reason":"x","ranges":[{"first":"1399","last":"1399"}]})")
                .outcome() == "409 state-conflict"
        );
    }

    TEST_CASE_FIXTURE(desk_bench, "a move names one place, and a closed block tells why")
    {
        create_series("s", {{1000, 1999}, {2000, 2999}, {3000, 3999}});
        auto const move = [this](int block, std::string const& where) {
            return ask("POST", "/v1/series/s/blocks/" + std::to_string(block) + "/move", where);
        };
        auto const moved = move(3, R"({"before":"1"})");
        CHECK(moved.outcome() == "200");
        CHECK(moved.body["position"] == 1);
        CHECK(move(1, R"({"last":true})").outcome() == "200");
        CHECK(queue() == "3000…3999 queued 2000…2999 queued 1000…1999 queued");
        CHECK(issue("a") == "3000");
        CHECK(move(1, R"({"before":"3"})").outcome() == "409 state-conflict");
        CHECK(move(1, R"({"before":"9"})").outcome() == "404 not-found");
        for (std::string const body :
             {"", "{}", R"({"before":"1","last":true})", R"({"last":false})"})
        {
            CAPTURE(body);
            CHECK(move(1, body).outcome() == "400 malformed-request");
        }
        auto const closed = act(3, "close", "wet");
        CHECK(closed.outcome() == "200");
        CHECK(closed.body["state"] == "closed");
        CHECK(closed.body["closed_reason"] == "wet");
        CHECK(act(3, "close", "wet").outcome() == "409 state-conflict");
    }
}
