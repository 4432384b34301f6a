#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

#include <optional>

namespace gapless::test::cli_notice_test {

TEST_SUITE("notices/notice_cli")
{
    TEST_CASE("notices are listed from the oldest on, also while no service runs")
    {
        cli gapless;
        CHECK(gapless.json({"notice", "list"}).empty());
        gapless.stock();
        auto const rows = gapless.json({"notice", "list"});
        REQUIRE(rows.size() == 2);
        CHECK(rows[0]["seq"] == "1");
        CHECK(rows[0]["kind"] == "block.loaded");
        CHECK(rows[1]["text"]["de"] == "dhl: Block 2 (500 bis 599) geladen, noch 100");
        CHECK(gapless.json({"notice", "list", "--after", "1", "--series", "dhl"}).size() == 1);
    }

    TEST_CASE("a table has the words in the language of the locale")
    {
        cli gapless;
        gapless.stock();
        auto const shown = [&](std::string const& locale, std::vector<std::string> words = {}) {
            words.insert(words.begin(), {GAPLESS_BIN_DIR "/gapless", "notice", "list"});
            process_start start{.words = std::move(words)};
            start.environment = {
                {"GAPLESS_DATABASE_URL", gapless.database().url()},
                {"LC_ALL", std::nullopt},
                {"LC_MESSAGES", std::nullopt},
                {"LANG", locale}};
            return run_program(start).out;
        };
        CHECK(contains(shown("C"), "dhl: block 1 (100 to 199) loaded, 100 remaining"));
        CHECK(contains(shown("de_DE.UTF-8"), "dhl: Block 1 (100 bis 199) geladen, noch 100"));
        auto const csv = shown("en_GB.UTF-8", {"-o", "csv"});
        CHECK(csv.starts_with("seq,at,kind,series,text,id,epoch,environment\n1,"));
        CHECK(contains(csv, ",\"dhl: block 1 (100 to 199) loaded, 100 remaining\","));
    }

    TEST_CASE(
        "findings of a verification are told once, until there are none" *
        doctest::test_suite("night")
    )
    {
        cli gapless;
        gapless.stock();
        gapless.database().run("select count(*) from gapless.issue('dhl', 3)");
        auto const told = [&] {
            return gapless.database().run("select count(*) from gapless.notice where kind = "
                                          "'verify.finding' and series_id is null");
        };
        auto const tamper = [&](std::string const& count) {
            gapless.database().run(
                "set session_replication_role = replica; update gapless.ledger set count = " + count
            );
        };
        tamper("2");
        CHECK(gapless.code({"verify", "-n"}) == 6);
        CHECK(told() == "0");
        CHECK(gapless.code({"verify", "dhl"}) == 6);
        CHECK(gapless.code({"verify"}) == 6);
        CHECK(told() == "1");
        tamper("3");
        CHECK(gapless.code({"verify", "dhl"}) == 0);
        tamper("2");
        CHECK(gapless.code({"verify"}) == 6);
        CHECK(told() == "1");
        tamper("3");
        CHECK(gapless.code({"verify"}) == 0);
        tamper("2");
        CHECK(gapless.code({"verify"}) == 6);
        CHECK(told() == "2");
    }
}

}  // namespace gapless::test::cli_notice_test
