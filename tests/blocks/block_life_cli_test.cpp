#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_block_life_test {

/// Series s, whose blocks are 1 (1000…1999) and 2 (2000…2999).
struct block_life : cli
{
    block_life() { database().create_series("s", {{1000, 1999}, {2000, 2999}}); }

    std::string state(std::string const& block) const
    {
        return json({"block", "show", block})["state"].text();
    }

    json_value number(std::string const& which) const { return json({"number", "show", which}); }
};

TEST_SUITE("blocks/block_life_cli")
{
    TEST_CASE_FIXTURE(block_life, "a block is withdrawn and recalled with a reason, and by its id")
    {
        auto const withdrawn = json({"block", "withdraw", "2", "--reason", "wrong series"});
        CHECK(withdrawn["state"] == "withdrawn");
        CHECK(withdrawn["closed_reason"] == "wrong series");
        CHECK(code({"issue", "s"}) == 0);
        CHECK(code({"block", "withdraw", "1", "--reason", "x"}) == 5);
        auto const recalled = json({"block", "recall", "1", "--reason", "rejected"});
        CHECK(recalled["state"] == "closed");
        CHECK(recalled["recalled_at"].is_string());
        CHECK(number("1000")["recalled"] == true);
        auto const again = run({"block", "recall", "s", "1", "--reason", "rejected"});
        CHECK(contains(again.err, "what was issued of it: gapless issuance list s --block 1"));
        for (std::string const verb : {"withdraw", "recall"})
        {
            CAPTURE(verb);
            CHECK(code({"block", verb, "9", "--reason", "x"}) == 3);
            CHECK(code({"block", verb, "2"}) == 2);
            CHECK(code({"block", verb, "2", "--reason", " "}) == 2);
            CHECK(code({"block", verb, "2", "--reason", std::string(256, 'x')}) == 2);
        }
        CHECK(code({"block", "withdraw", "t", "2", "--reason", "not of t"}) == 3);
        CHECK(code({"verify"}) == 0);
    }

    TEST_CASE_FIXTURE(block_life, "a dry run of withdrawing and recalling changes nothing")
    {
        CHECK(json({"block", "withdraw", "1", "--reason", "x", "-n"})["state"] == "withdrawn");
        CHECK(json({"block", "recall", "1", "--reason", "x", "-n"})["state"] == "closed");
        CHECK(state("1") == "queued");
    }

    TEST_CASE_FIXTURE(
        block_life,
        "with --issued-until a block goes on behind an old system" * doctest::test_suite("night")
    )
    {
        auto const load = [](std::string const& until) {
            return std::vector<std::string>{
                "block", "load", "s", "5000", "5999", "--issued-until", until, "--yes"};
        };
        for (std::string const until : {"4999", "5999", "six"})
            CHECK(code(load(until)) == 2);
        auto const loaded = json(load("5399"));
        CHECK(loaded["elsewhere"] == "400");
        CHECK(loaded["next"] == "5400");
        CHECK(number("5399")["state"] == "elsewhere");
        CHECK(code({"number", "void", "5399", "--reason", "x"}) == 5);
    }
}

}  // namespace gapless::test::cli_block_life_test
