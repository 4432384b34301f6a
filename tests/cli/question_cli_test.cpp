#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_question_test {

/// Runs `gapless` with these words at a terminal where `answer` is typed. Everything it shows is in
/// `out`.
process_end run_at_terminal(cli& gapless, std::string const& words, std::string_view answer)
{
    process_start start;
    start.words = {
        "/usr/bin/script",
        "--quiet",
        "--return",
        "--command",
        GAPLESS_BIN_DIR "/gapless " + words,
        "/dev/null"};
    start.environment["GAPLESS_DATABASE_URL"] = gapless.database().url();
    start.environment["TERM"] = "xterm";
    start.environment["NO_COLOR"] = std::nullopt;
    return run_program(start, answer);
}

std::string remaining(cli& gapless)
{
    return gapless.database().run("select remaining from gapless.series_report('dhl')");
}

TEST_SUITE("cli/question_cli")
{
    TEST_CASE("at a terminal a load is shown with count and stock, and asked for")
    {
        cli gapless;
        gapless.stock();
        auto const no = run_at_terminal(gapless, "block load dhl 900 999", "n\n");
        CHECK(no.code == 1);
        CHECK(contains(
            no.out,
            "Load 100 numbers, 900…999, into dhl? It has 200 numbers remaining and will have 300. "
            "[y/N]"
        ));
        CHECK(contains(no.out, "nothing was changed"));
        CHECK(remaining(gapless) == "200");
        CHECK(run_at_terminal(gapless, "block load dhl 900 999", "y\n").code == 0);
        CHECK(remaining(gapless) == "300");
        auto const yes = run_at_terminal(gapless, "block load dhl 800 899 --yes", "n\n");
        CHECK(yes.code == 0);
        CHECK_FALSE(contains(yes.out, "[y/N]"));
        CHECK(run_at_terminal(gapless, "block load dhl 2000 2999 -n", "n\n").code == 0);
        CHECK(remaining(gapless) == "400");
    }

    TEST_CASE("a load with warnings is asked for below them, and ends with 5 unless confirmed")
    {
        cli gapless;
        gapless.stock();
        auto const no = run_at_terminal(gapless, "block load dhl 9000 9099", "n\n");
        CHECK(no.code == 5);
        auto const warning = no.out.find("warning: other-length: ");
        REQUIRE(warning != std::string::npos);
        CHECK(no.out.find("[y/N]") > warning);
        CHECK(remaining(gapless) == "200");
        CHECK(run_at_terminal(gapless, "block load dhl 9000 9099", "y\n").code == 0);
        CHECK(remaining(gapless) == "300");
    }

    TEST_CASE("what cannot be undone is asked for, with what it is about")
    {
        cli gapless;
        gapless.stock();
        gapless.database().run("select count(*) from gapless.issue('dhl', 1)");
        auto const close = run_at_terminal(gapless, "block close --reason x 2", "n\n");
        CHECK(contains(close.out, "Its 100 remaining numbers will never be issued. [y/N]"));
        auto const no = run_at_terminal(gapless, "number void 100 --reason x", "n\n");
        CHECK(contains(no.out, "Void 100 of dhl, which is issued? It is never issued again. [y/N]")
        );
        CHECK(
            gapless.database().run("select state, (select count(*) from gapless.number_event) "
                                   "from gapless.block where block_id = 2") == "queued|0"
        );
    }

    TEST_CASE("a terminal gets colour, unless NO_COLOR or --no-color says otherwise")
    {
        cli gapless;
        gapless.stock();
        CHECK(contains(run_at_terminal(gapless, "series list", "").out, "\x1b[1m"));
        CHECK_FALSE(contains(run_at_terminal(gapless, "series list --no-color", "").out, "\x1b"));
    }
}

}  // namespace gapless::test::cli_question_test
