#include "cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test {

namespace {

/// Series s and t of one carrier; the blocks of s are 1 (1000…1999) and 2 (2000…2999).
struct block_life : cli
{
    block_life()
    {
        database().create_series("s", {{1000, 1999}, {2000, 2999}});
        database().create_series("t", {});
    }

    std::string state(std::string const& block) const
    {
        return json({"block", "show", block})["state"].get<std::string>();
    }

    int withdraw(std::string const& block) const
    {
        return code({"block", "withdraw", block, "--reason", "wrong series"});
    }

    nlohmann::ordered_json number(std::string const& which) const
    {
        return json({"number", "show", which});
    }

    /// verify and verify --chain, after everything was sealed.
    int proof()
    {
        database().run("select gapless.seal(s.series_id) from gapless.series s");
        database().run("select gapless.seal(0)");
        return code({"verify", "--chain"});
    }
};

}  // namespace

TEST_SUITE("app/cli/block_life")
{
    TEST_CASE_FIXTURE(block_life, "a block in the wrong series is withdrawn and loaded elsewhere")
    {
        CHECK(code({"block", "load", "t", "2000", "2999", "--yes"}) == 5);
        auto const withdrawn = json({"block", "withdraw", "2", "--reason", "wrong series"});
        CHECK(withdrawn["state"] == "withdrawn");
        CHECK(withdrawn["closed_reason"] == "wrong series");
        CHECK(withdraw("2") == 0);  // repeatable
        CHECK(code({"block", "load", "t", "2000", "2999", "--yes"}) == 0);

        // Closed with nothing issued, and LAST was a typo.
        CHECK(code({"block", "close", "1", "--reason", "typo"}) == 0);
        CHECK(withdraw("1") == 0);
        CHECK(code({"block", "load", "s", "1000", "1899", "--yes"}) == 0);
        CHECK(json({"issue", "s"})["numbers"][0] == "1000");
        CHECK(withdraw("4") == 5);
        CHECK(withdraw("9") == 3);
        CHECK(code({"block", "withdraw", "3"}) == 2);
        CHECK(code({"block", "withdraw", "3", "--reason", " "}) == 2);
        CHECK(code({"block", "withdraw", "3", "--reason", std::string(256, 'x')}) == 2);
        CHECK(code({"block", "withdraw", "s", "3", "--reason", "not of s"}) == 3);
        CHECK(state("3") == "queued");
        CHECK(proof() == 0);
    }

    TEST_CASE_FIXTURE(block_life, "a dry run of withdrawing and recalling changes nothing")
    {
        CHECK(json({"block", "withdraw", "1", "--reason", "x", "-n"})["state"] == "withdrawn");
        CHECK(json({"block", "recall", "1", "--reason", "x", "-n"})["state"] == "closed");
        CHECK(state("1") == "queued");
    }

    TEST_CASE_FIXTURE(block_life, "a recall closes the rest and voids what is held")
    {
        CHECK(code({"issue", "s", "--count", "2"}) == 0);
        database().run("select * from gapless.issue_ranges('s', 3, 'held', null, 600)");
        auto const recalled = json({"block", "recall", "1", "--reason", "rejected"});
        CHECK(recalled["state"] == "closed");
        CHECK(recalled["closed_reason"] == "rejected");
        CHECK(recalled["recalled_at"].is_string());
        CHECK(json({"block", "recall", "1", "--reason", "again"}) == recalled);  // repeatable
        CHECK(number("1001")["state"] == "issued");
        CHECK(number("1001")["recalled"] == true);
        CHECK(number("1002")["state"] == "voided");
        CHECK(number("1500")["recalled"] == true);
        CHECK_FALSE(number("2000").contains("recalled"));
        CHECK(json({"issue", "s"})["numbers"][0] == "2000");
        CHECK(withdraw("1") == 5);
        CHECK(code({"block", "recall", "9", "--reason", "x"}) == 3);
        CHECK(proof() == 0);
    }

    TEST_CASE_FIXTURE(block_life, "a half-used block of an old system goes on behind its last one")
    {
        auto const loaded =
            json({"block", "load", "t", "5000", "5999", "--issued-until", "5399", "--yes"});
        CHECK(loaded["elsewhere"] == "400");
        CHECK(loaded["remaining"] == "600");
        CHECK(loaded["next"] == "5400");
        auto const elsewhere = number("5399");
        CHECK(elsewhere["state"] == "elsewhere");
        CHECK(elsewhere["ordinal"] == nullptr);
        CHECK(elsewhere["issuance"] == nullptr);
        CHECK(json({"issue", "t"})["numbers"][0] == "5400");
        CHECK(code({"number", "void", "5399", "--reason", "x"}) == 5);
        CHECK(code({"block", "load", "s", "5000", "5399", "--yes"}) == 5);
        auto const load = [this](std::string const& until) {
            return code({"block", "load", "t", "6000", "6999", "--issued-until", until, "--yes"});
        };
        CHECK(load("5999") == 2);
        CHECK(load("6999") == 2);
        CHECK(load("six") == 2);
        CHECK(load("6998") == 0);
        CHECK(proof() == 0);
    }
}

}  // namespace gapless::test
