#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace gapless::test::cli_format_test {

/// `gapless` with nothing that names a database.
process_end run_alone(std::vector<std::string> words, std::string_view input = {})
{
    return run_gapless(std::move(words), "", input);
}

TEST_SUITE("formats/format_cli")
{
    TEST_CASE("the catalogue needs no database")
    {
        auto const list = run_alone({"format", "list"});
        CHECK(list.code == 0);
        CHECK(contains(list.out, "upu-s10"));
        for (auto const* output : {"table", "csv", "json"})
            CHECK(contains(run_alone({"format", "list", "--output", output}).out, "Royal Mail"));
        CHECK(contains(run_alone({"format", "show", "upu-s10"}).out, "{svc:A2}[{n:8}]{c}{cc:A2}"));
        CHECK(run_alone({"format", "show", "nonsense"}).code == 3);
    }

    TEST_CASE("a number is made and checked")
    {
        // An unset variable of a script must not pass for a valid number.
        CHECK(run_alone({"format", "check", "fedex-express-12", ""}).code == 2);
        auto const none = run_alone({"format", "check", "fedex-express-12"});
        CHECK(none.code == 2);
        CHECK(contains(none.err, "there is no number behind 'fedex-express-12', and no line on "));
        CHECK(run_alone({"format", "make", "plain"}, "\n").code == 2);
        CHECK(run_alone({"format", "check"}).code == 0);
        CHECK(run_alone({"format", "make", "plain", "1.0"}).code == 2);
        auto const made = run_alone(
            {"format", "make", "upu-s10", "12345678", "--param", "svc=RB", "--param", "cc=DE"}
        );
        CHECK(made.out == "RB123456785DE\n");
        CHECK(run_alone({"format", "check", "upu-s10", "RB 123 456 785 DE"}).code == 0);
        auto const wrong = run_alone({"format", "check", "upu-s10", "RB123456784DE"});
        CHECK(wrong.code == 6);
        CHECK(contains(wrong.err, "check character: expected 5, found 4"));
        CHECK(run_alone({"format", "make", "upu-s10", "1"}).code == 2);
    }

    TEST_CASE("lines from standard input are answered one by one")
    {
        auto const checked = run_alone(
            {"format", "check"},
            "{\"format\":\"fedex-express-12\",\"number\":\"794791341999\",\"params\":{}}\n"
            "{\"format\":\"fedex-express-12\",\"number\":\"794791341998\"}\n"
        );
        CHECK(checked.code == 6);  // after all lines
        CHECK(contains(checked.out, R"({"valid":false,)"));
        CHECK(contains(checked.out, R"({"valid":true,"serial":"79479134199","params":{},"reason":)")
        );
        CHECK(run_alone({"format", "check", "plain"}, "{\"number\":\"7\"}\n").code == 0);

        auto const made = run_alone({"format", "make", "plain"}, "{\"serial\":\"7\"}\n");
        CHECK(made.out == "{\"number\":\"7\"}\n");
        CHECK(run_alone({"format", "make", "plain"}, "{\"serial\":\"-5\"}\n").code == 6);
    }

    TEST_CASE("a line that cannot be read is answered too and ends in exit code 2")
    {
        auto const end = run_alone(
            {"format", "check", "plain"},
            "nonsense\n\n{\"number\":\"5\"}\n{\"format\":\"x\",\"number\":\"5\"}"
        );
        CHECK(end.code == 2);
        CHECK(std::ranges::count(end.out, '\n') == 4);
        CHECK(contains(end.out, "this line is not a JSON object"));
        CHECK(contains(end.out, "there is no format 'x'; see: gapless format list"));
    }

    TEST_CASE("a format that was nearly named is told, wherever it is asked for")
    {
        constexpr std::string_view hint{"there is no format 'dpd'; did you mean dpd-15 or dpd-28?"};
        CHECK(contains(run_alone({"format", "check", "dpd"}, "{\"number\":\"5\"}").out, hint));
        cli gapless;
        auto const create =
            gapless.run({"series", "create", "a", "--carrier", "dpd", "--format", "dpd"});
        CHECK(create.code == 2);
        CHECK(contains(create.err, hint));
        auto const* const shop = R"({"name":"shop-dpd","number":"PS{n:6}"})";
        REQUIRE(gapless.run({"format", "declare", "-"}, shop).code == 0);
        CHECK(contains(gapless.run({"format", "show", "shop"}).err, "did you mean shop-dpd?"));
    }

    TEST_CASE("an own format is declared and used by a series")
    {
        cli gapless;
        auto const* const shop = R"({"name":"shop","number":"PS[{n:6}]{c}","check":"gs1"})";
        CHECK(gapless.run({"format", "declare", "-"}, shop).code == 0);
        CHECK(gapless.run({"format", "declare", "-"}, "{\"name\":\"x\"}").code == 2);
        CHECK(contains(gapless.run({"format", "list"}).out, "shop"));
        auto const made = gapless.run({"format", "make", "shop", "1"});
        CHECK(made.out == "PS0000017\n");
        CHECK(gapless.code({"series", "create", "a", "--carrier", "c", "--format", "shop"}) == 0);
        CHECK(gapless.run({"block", "load", "a", "1", "3"}).code == 0);
        CHECK(gapless.run({"issue", "a"}).out == "PS0000017\n");
        CHECK(gapless.json({"series", "show", "a"})["next"] == "PS0000024");
    }
}

}  // namespace gapless::test::cli_format_test
