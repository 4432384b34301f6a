#include "harness/desk_bench.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <future>

namespace block_load_test {

using namespace gapless::test;

/// A block that a person should look at first.
struct slip
{
    char const* code;
    char const* first;
    char const* last;
    bool short_validity{};
};

/// Series s has 250,001 numbers as a carrier assigns them, and t another block of the same carrier.
struct loading : desk_bench
{
    loading()
    {
        create_series("s", {{4901214213405250000, 4901214213405500000}});
        REQUIRE(ask("POST", "/v1/series", R"({"name":"t","carrier":"s"})").status == 201);
        run("select gapless.block_load('t', 4901214213605250001, 4901214213605500000, null, null, "
            "null, 'test')");
    }

    std::string in_three_days()
    {
        return run("select (now() at time zone 'UTC' + interval '3 days')::date::text");
    }

    std::string remaining() { return ask("GET", "/v1/series/s").body.at("remaining").text(); }
};

constexpr slip slips[]{
    {"short-validity", "4901214213505250000", "4901214213505500000", true},
    {"other-length", "490121421350525000", "490121421350775000"},
    {"other-prefix", "4091214213505250000", "4091214213505500000"},
    {"other-size", "4901214213505250000", "4901214213505259999"},
    {"neighbour", "4901214213605500001", "4901214213605750000"},
};

TEST_SUITE("process/block_load")
{
    TEST_CASE_FIXTURE(loading, "each slip is told, refused, and loaded once it was confirmed")
    {
        for (auto const& each : slips)
        {
            CAPTURE(each.code);
            json_value block{{"first", each.first}, {"last", each.last}};
            if (each.short_validity)
                block.set("valid_until", in_three_days());

            auto const dry = load(block, "?dry_run=true");
            CHECK(dry.outcome() == "200");
            CHECK(dry.warnings() == each.code);
            CHECK(dry.body["id"] == nullptr);
            CHECK(
                dry.body["warnings"][0]["detail"].text().find(std::string{each.first}.substr(0, 4)
                ) != std::string::npos
            );

            auto const refused = load(block);
            CHECK(refused.outcome() == "409 confirmation-needed");
            CHECK(refused.warnings() == each.code);
            CHECK(refused.body["executed"] == "no");
            block.set("confirm_warnings", {"much-stock"});
            CHECK(load(block).outcome() == "409 confirmation-needed");
            CHECK(remaining() == "250001");

            block.set("confirm_warnings", {"much-stock", each.code});
            auto const loaded = load(block);
            REQUIRE(loaded.outcome() == "201");
            CHECK(loaded.warnings() == each.code);
            CHECK(loaded.body["state"] == "queued");
            CHECK(loaded.location == "/v1/series/s/blocks/" + loaded.body["id"].text());
            CHECK(
                ask("POST", loaded.location + "/withdraw", R"({"reason":"the test goes on"})")
                    .outcome() == "200"
            );
        }
        CHECK(proof() == "gapless");
    }

    TEST_CASE_FIXTURE(loading, "of two warnings both are confirmed, and the key is good for that")
    {
        json_value block{
            {"first", "490121421350525000"},
            {"last", "490121421350525099"},
            {"confirm_warnings", {"other-size"}}};
        auto const post = [&] {
            return ask(
                "POST", "/v1/series/s/blocks", block.dump(), {{"Idempotency-Key", "letter 7"}}
            );
        };
        auto const half = post();
        CHECK(half.outcome() == "409 confirmation-needed");
        CHECK(half.warnings() == "other-length other-size");
        block.set("confirm_warnings", {"other-size", "other-length"});
        auto const both = post();
        CHECK(both.outcome() == "201");
        CHECK_FALSE(both.replayed);
        auto const again = post();
        CHECK(again.outcome() == "201");
        CHECK(again.replayed);
        CHECK(again.text == both.text);

        block.set("confirm_warnings", {"other-colour"});
        CHECK(load(block).outcome() == "400 malformed-request");
        block.set("confirm_warnings", "other-size");
        CHECK(load(block).outcome() == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(loading, "what would close at once, or lose digits, is refused for good")
    {
        json_value typed{
            {"first", "4901214213505250000"},
            {"last", "4901214213505500000"},
            {"valid_until", "2020-12-31"},
            {"confirm_warnings", {"short-validity"}}};
        CHECK(load(typed).outcome() == "422 out-of-range");
        CHECK(load(typed, "?dry_run=true").outcome() == "422 out-of-range");
        typed.set("valid_until", "2099-12-31");
        CHECK(load(typed, "?dry_run=true").outcome() == "200");

        // What JavaScript sends of 4901214214005250001, and other integers that were rounded.
        for (std::string_view const body :
             {R"({"first":4901214214005250001,"last":4901214214005500001})",
              R"({"first":"4901214214005250001","last":4901214214005500001})",
              R"({"first_serial":9007199254740992,"last_serial":9007199254740993})",
              R"({"first":"1","last":"9","count":9007199254740992})",
              R"({"first":"1","last":"9","issued_until":9007199254740992})"})
        {
            CAPTURE(body);
            CHECK(
                ask("POST", "/v1/series/s/blocks", std::string{body}).outcome() ==
                "400 malformed-request"
            );
        }
        CHECK(
            load({{"first", 9007199254740001}, {"last", 9007199254740991}}, "?dry_run=true")
                .outcome() == "200"
        );
        CHECK(queue() == "4901214213405250000…4901214213405500000 queued");
    }

    TEST_CASE_FIXTURE(loading, "leading zeros are refused in plain, and kept by plain-N")
    {
        json_value const block{{"first", "00123000"}, {"last", "00123999"}};
        auto const refused = load(block);
        CHECK(refused.outcome() == "422 out-of-range");
        CHECK(refused.body["detail"].text().find("plain-8") != std::string::npos);
        CHECK(load({{"first", "0"}, {"last", "9"}}, "?dry_run=true").outcome() == "200");

        CHECK(
            ask("POST", "/v1/series", R"({"name":"e","carrier":"e","format":"plain-8"})").status ==
            201
        );
        auto const loaded = ask("POST", "/v1/series/e/blocks", block.dump());
        CHECK(loaded.outcome() == "201");
        CHECK(loaded.body["first"] == "00123000");
        auto const issued =
            ask("POST", "/v1/series/e/numbers", R"({"count":1})", {{"Idempotency-Key", "k"}});
        CHECK(issued.body["numbers"] == json_value{"00123000"});
    }

    TEST_CASE_FIXTURE(loading, "of two blocks that touch, loaded at the same moment, one is told")
    {
        // Into two series of one number space, so that either one is the other one's neighbour.
        for (int round = 0; round < 8; ++round)
        {
            CAPTURE(round);
            auto const first = 4901214218000000001 + round * 1'000'000LL;
            auto const post = [this](std::string const& series, std::int64_t from) {
                json_value const block{
                    {"first", std::to_string(from)}, {"last", std::to_string(from + 249'999)}};
                return ask("POST", "/v1/series/" + series + "/blocks", block.dump());
            };
            auto other = std::async(std::launch::async, [&] { return post("t", first + 250'000); });
            auto const mine = post("s", first);
            auto const theirs = other.get();
            std::pair<std::string, std::string> const both{
                std::minmax({mine.outcome(), theirs.outcome()})};
            CHECK(both.first == "201");
            CHECK(both.second == "409 confirmation-needed");
            CHECK(mine.warnings() + theirs.warnings() == "neighbour");
        }
        CHECK(proof() == "gapless");
    }
}

}  // namespace block_load_test
