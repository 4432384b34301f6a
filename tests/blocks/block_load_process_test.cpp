#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

#include <future>
#include <set>

using namespace gapless::test;

TEST_SUITE("blocks/block_load_process")
{
    TEST_CASE_FIXTURE(
        clerk_bench,
        "of two blocks that touch, loaded at the same moment, one is told" *
            doctest::test_suite("night")
    )
    {
        // Into two series of one number space, so that either one is the other one's neighbour.
        REQUIRE(ask("POST", "/v1/series", boss, R"({"name":"u","carrier":"s"})").status == 201);
        for (int round = 0; round < 8; ++round)
        {
            CAPTURE(round);
            auto const first = 4901214218000000001 + round * 1'000'000LL;
            auto const post = [this](std::string const& series, std::int64_t from) {
                json_value const block{
                    {"first", std::to_string(from)},
                    {"last", std::to_string(from + 249'999)},
                    {"confirm_warnings", {"other-length", "other-prefix", "other-size"}}};
                return ask("POST", "/v1/series/" + series + "/blocks", boss, block.dump());
            };
            auto other = std::async(std::launch::async, [&] { return post("u", first + 250'000); });
            auto const mine = post("s", first);
            auto const theirs = other.get();
            std::multiset<std::string> const both{outcome(mine), outcome(theirs)};
            CHECK(both == std::multiset<std::string>{"201 ", "409 confirmation-needed"});
            for (auto const& answer : {mine, theirs})
                CHECK(
                    (answer.body.find("neighbour") == answer.body.npos) == (answer.status == 201)
                );
        }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        clerk_bench,
        "of the same numbers, loaded into two spaces at the same moment, one is told" *
            doctest::test_suite("night")
    )
    {
        auto const other = R"({"name":"x","carrier":"other"})";
        REQUIRE(ask("POST", "/v1/series", boss, other).status == 201);
        for (int round = 0; round < 8; ++round)
        {
            CAPTURE(round);
            auto const first = 4901214218000000001 + round * 1'000'000LL;
            auto const post = [&](std::string const& series) {
                json_value const block{
                    {"first", std::to_string(first)},
                    {"last", std::to_string(first + 249'999)},
                    {"confirm_warnings", {"other-length", "other-prefix", "other-size"}}};
                return outcome(ask("POST", "/v1/series/" + series + "/blocks", boss, block.dump()));
            };
            auto theirs = std::async(std::launch::async, [&] { return post("x"); });
            auto const mine = post("s");
            CHECK(
                std::multiset<std::string>{mine, theirs.get()} ==
                std::multiset<std::string>{"201 ", "409 confirmation-needed"}
            );
        }
    }
}
