#include "desk_bench.hpp"

#include <doctest/doctest.h>

#include <future>

using namespace gapless::test;

TEST_SUITE("process/block_life")
{
    TEST_CASE_FIXTURE(desk_bench, "a block in the wrong series is withdrawn and loaded elsewhere")
    {
        create_series("s", {{1000, 1999}, {2000, 2999}, {3000, 3999}});
        REQUIRE(ask("POST", "/v1/series", R"({"name":"t","carrier":"s"})").status == 201);
        auto const load_into_t = [this](std::string const& first, std::string const& last) {
            nlohmann::json const block{
                {"first", first}, {"last", last}, {"confirm_warnings", {"neighbour"}}};
            return ask("POST", "/v1/series/t/blocks", block.dump()).outcome();
        };
        CHECK(load_into_t("2000", "2999") == "409 block-overlap");

        // Queued; open, of which nothing left; closed with nothing issued.
        auto const withdrawn = act(2, "withdraw", "wrong series");
        CHECK(withdrawn.outcome() == "200");
        CHECK(withdrawn.body["state"] == "withdrawn");
        CHECK(withdrawn.body["remaining"] == "0");
        CHECK(withdrawn.body["closed_reason"] == "wrong series");
        CHECK(act(2, "withdraw").outcome() == "200");  // repeatable
        CHECK(load_into_t("2000", "2999") == "201");
        CHECK(act(3, "close", "typo in LAST").outcome() == "200");
        CHECK(act(3, "withdraw").outcome() == "200");
        CHECK(
            load({{"first", "3000"}, {"last", "3899"}, {"confirm_warnings", {"neighbour"}}}
            ).outcome() == "201"
        );

        CHECK(issue("a") == "1000");
        auto const left = act(1, "withdraw");
        CHECK(left.outcome() == "409 state-conflict");
        CHECK(left.body["detail"].get<std::string>().find("1000") != std::string::npos);
        CHECK(queue() == "1000…1999 open 2000…2999 withdrawn 3000…3999 withdrawn 3000…3899 queued");
        CHECK(ask("GET", "/v1/series/s/numbers/2500").outcome() == "404 unknown-number");
        CHECK(proof() == "gapless");
    }

    TEST_CASE_FIXTURE(desk_bench, "of a held number's block nothing is withdrawn, ever")
    {
        create_series("s", {{1000, 1999}});
        CHECK(issue("h", 1, 600) == "1000");
        CHECK(act(1, "withdraw").outcome() == "409 state-conflict");
        CHECK(ask("POST", "/v1/issuances/" + issuance + "/release").status == 200);
        CHECK(act(1, "withdraw").outcome() == "409 state-conflict");
        CHECK(act(1, "close").outcome() == "200");
        CHECK(act(1, "withdraw").outcome() == "409 state-conflict");
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

    TEST_CASE_FIXTURE(desk_bench, "a recall closes the rest, voids what is held, keeps the rest")
    {
        create_series("s", {{1000, 1999}, {2000, 2999}});
        CHECK(issue("sold", 2) == "1000 1001");
        auto const sold = issuance;
        CHECK(issue("held", 3, 600) == "1002 1003 1004");
        auto const held = issuance;
        CHECK(
            ask("POST",
                "/v1/issuances/" + held + "/release",
                R"({"ranges":[{"first":"1002","last":"1002"}]})")
                .status == 200
        );
        auto const recalled = act(1, "recall", "the carrier rejects it");
        CHECK(recalled.outcome() == "200");
        CHECK(recalled.body["state"] == "closed");
        CHECK(recalled.body["closed_reason"] == "the carrier rejects it");
        CHECK(recalled.body["recalled_at"].is_string());
        CHECK(recalled.body["remaining"] == "0");
        auto const again = act(1, "recall", "once more");
        CHECK(again.outcome() == "200");
        CHECK(again.body == recalled.body);

        CHECK(ask("POST", "/v1/issuances/" + held + "/confirm").outcome() == "409 hold-expired");
        CHECK(number("1000").body["state"] == "issued");
        for (std::string const each : {"1000", "1002", "1003", "1500"})
        {
            CAPTURE(each);
            auto const found = number(each).body;
            CHECK(found["recalled"] == true);
            if (each != "1000")
                CHECK(found["state"] == "voided");
        }
        CHECK(ask("GET", "/v1/numbers/1001").body["recalled"] == true);
        CHECK_FALSE(number("2000").body.contains("recalled"));
        CHECK(issue("next") == "2000");

        auto const of_block = ask("GET", "/v1/series/s/issuances?block=1").body["items"];
        REQUIRE(of_block.size() == 2);
        CHECK(of_block[0]["id"] == sold);
        auto const csv = ask("GET", "/v1/series/s/issuances?block=1", {}, {{"Accept", "text/csv"}});
        CHECK(csv.status == 200);
        CHECK(csv.text.find("1001") != std::string::npos);
        CHECK(csv.text.find("2000") == std::string::npos);
        CHECK(act(1, "withdraw").outcome() == "409 state-conflict");
        CHECK(proof() == "gapless");
    }

    TEST_CASE_FIXTURE(desk_bench, "while a block is recalled each hold is confirmed or ends, whole")
    {
        create_series("s", {{1000, 1999}});
        std::vector<std::pair<std::string, std::string>> holds;  // issuance, first number
        for (int n = 0; n < 24; ++n)
        {
            auto const numbers = issue("h" + std::to_string(n), 3, 600);
            holds.emplace_back(issuance, numbers.substr(0, 4));
        }
        std::vector<std::string> outcomes;
        auto confirming = std::async(std::launch::async, [&] {
            for (auto const& [id, number] : holds)
                outcomes.push_back(ask("POST", "/v1/issuances/" + id + "/confirm").outcome());
        });
        CHECK(act(1, "recall", "rejected").outcome() == "200");
        confirming.get();
        for (std::size_t n = 0; n < holds.size(); ++n)
        {
            CAPTURE(n);
            auto const state = number(holds[n].second).body["state"];
            if (outcomes[n] == "200")
                CHECK(state == "issued");
            else
            {
                CHECK(outcomes[n] == "409 hold-expired");
                CHECK(state == "voided");
            }
        }
        CHECK(proof() == "gapless");
    }

    TEST_CASE_FIXTURE(desk_bench, "a queued and a closed block are recalled, a withdrawn one not")
    {
        create_series("s", {{1000, 1999}, {2000, 2999}, {3000, 3999}});
        CHECK(act(1, "close", "lost").outcome() == "200");
        auto const closed = act(1, "recall", "rejected");
        CHECK(closed.outcome() == "200");
        CHECK(closed.body["closed_reason"] == "lost");
        auto const queued = act(2, "recall", "rejected");
        CHECK(queued.outcome() == "200");
        CHECK(queued.body["state"] == "closed");
        CHECK(queued.body["recalled_at"].is_string());
        CHECK(act(3, "withdraw").outcome() == "200");
        CHECK(act(3, "recall").outcome() == "409 state-conflict");
        // What was recalled with nothing issued may be withdrawn: the carrier may assign it anew.
        CHECK(act(2, "withdraw").outcome() == "200");
        CHECK(load({{"first", "2000"}, {"last", "2999"}}).outcome() == "201");
        CHECK(issue("a") == "2000");
        CHECK_FALSE(number("2000").body.contains("recalled"));
        CHECK(proof() == "gapless");
    }

    TEST_CASE_FIXTURE(desk_bench, "a half-used block of an old system goes on behind its last one")
    {
        create_series("s", {});
        REQUIRE(ask("POST", "/v1/series", R"({"name":"t","carrier":"s"})").status == 201);
        auto const loaded = load({{"first", "1000"}, {"last", "1999"}, {"issued_until", "1399"}});
        REQUIRE(loaded.outcome() == "201");
        CHECK(loaded.body["count"] == "1000");
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
        CHECK(issue("a") == "1400");
        CHECK(number("1400").body["ordinal"] == "1");
        CHECK(number("1401").body["state"] == "free");

        // The old numbers are nobody else's, and are no event's.
        CHECK(
            ask("POST", "/v1/series/t/blocks", R"({"first":"1000","last":"1399"})").outcome() ==
            "409 block-overlap"
        );
        CHECK(
            ask("POST",
                "/v1/series/s/events",
                R"({"kind":"voided","reason":"x","ranges":[{"first":"1399","last":"1399"}]})")
                .outcome() == "409 state-conflict"
        );
        for (std::string const until : {"1999", "999", "2000", "14x0"})
        {
            CAPTURE(until);
            CHECK(
                load({{"first", "1000"}, {"last", "1999"}, {"issued_until", until}}).outcome() ==
                "422 out-of-range"
            );
        }
        CHECK(proof() == "gapless");
    }

    TEST_CASE_FIXTURE(desk_bench, "a queued block moves before another one, or to the end")
    {
        create_series("s", {{1000, 1999}, {2000, 2999}, {3000, 3999}});
        auto const move = [this](int block, std::string const& where) {
            return ask("POST", "/v1/series/s/blocks/" + std::to_string(block) + "/move", where);
        };
        auto const moved = move(3, R"({"before":"1"})");
        CHECK(moved.outcome() == "200");
        CHECK(moved.body["position"] == 1);
        CHECK(queue() == "3000…3999 queued 1000…1999 queued 2000…2999 queued");
        CHECK(move(1, R"({"last":true})").outcome() == "200");
        CHECK(issue("a") == "3000");
        CHECK(queue() == "3000…3999 open 2000…2999 queued 1000…1999 queued");
        CHECK(move(3, R"({"last":true})").outcome() == "409 state-conflict");
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
        CHECK(issue("b") == "2000");
        CHECK(proof() == "gapless");
    }
}
