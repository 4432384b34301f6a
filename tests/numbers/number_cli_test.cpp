#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_number_test {

TEST_SUITE("numbers/number_cli")
{
    TEST_CASE("voiding needs a reason, stays, and can be rehearsed")
    {
        cli gapless;
        gapless.stock();
        gapless.database().run("select count(*) from gapless.issue('dhl', 1)");
        CHECK(gapless.code({"number", "void", "100", "--reason", " "}) == 2);
        CHECK(gapless.code({"number", "void", "100", "--reason", "torn", "-n"}) == 0);
        CHECK(gapless.json({"number", "show", "100"})["state"] == "issued");
        auto const voided = gapless.run({"number", "void", "1 00", "--reason", "torn"});
        CHECK(contains(voided.out, "\nstate      voided\n"));
        CHECK_FALSE(contains(voided.out, "reference erased"));
        CHECK(contains(voided.out, "\n\nAT "));
        CHECK(voided.err == "100 of dhl is voided\n");

        gapless.database().create_series("x", {{100, 101}}, "s");
        auto const refused = gapless.run({"number", "void", "100", "--reason", "torn"});
        CHECK(refused.code == 5);
        CHECK(contains(refused.err, "the series dhl, x"));
        CHECK(contains(refused.err, "--series"));
        CHECK(gapless.json({"number", "show", "100", "--series", "x"})["state"] == "free");
    }

    TEST_CASE("held numbers are confirmed or given back")
    {
        cli gapless;
        gapless.stock();
        auto const held = gapless.json({"issue", "dhl", "--count", "4", "--hold", "600"});
        CHECK(held["state"] == "held");
        auto const id = held["id"].text();
        CHECK(gapless.json({"hold", "confirm", id, "100", "101"})["settled"] == "2");
        CHECK(gapless.json({"hold", "release", id})["settled"] == "2");
        CHECK(gapless.run({"issue", "dhl"}).out == "102\n");
    }

    TEST_CASE("a reference is erased by its text or by age, and told everywhere")
    {
        cli gapless;
        gapless.stock();
        gapless.database().run("select count(*) from gapless.issue('dhl', 1, 'k', 'order 7')");
        auto const erase = [&](std::vector<std::string> words, std::string_view input = {}) {
            words.insert(words.begin(), {"reference", "erase", "dhl"});
            words.insert(words.end(), {"--reason", "asked", "-o", "json"});
            auto const end = gapless.run(words, input);
            return end.code == 0 ? json_value::parse(end.out)["erased"].text()
                                 : "exit " + std::to_string(end.code);
        };
        CHECK(erase({"order 7", "-n"}) == "0");
        CHECK(erase({"order 9"}) == "exit 3");
        CHECK(erase({}) == "exit 2");
        CHECK(erase({"order 7", "--before", "2026-01-01"}) == "exit 2");
        CHECK(erase({"--before", "9999-01-01"}) == "exit 2");
        CHECK(erase({"--before", "2020-01-01"}) == "0");
        CHECK(erase({"--before", "01.01.2020"}) == "0");
        CHECK(gapless.json({"number", "show", "100"})["reference"] == "order 7");
        CHECK(erase({"-"}, "order 7\n") == "1");
        auto const shown = gapless.json({"number", "show", "100"});
        CHECK(shown["reference"].is_null());
        CHECK(shown["reference_erased"] == true);
        CHECK(contains(gapless.run({"ledger", "export", "dhl"}).out, ",issued,yes\n"));
    }

    TEST_CASE("a day is closed once and never one to come")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.code({"manifest", "dhl", "--date", "2999-01-01"}) == 2);
        auto const words =
            std::vector<std::string>{"manifest", "dhl", "--date", "2026-01-01", "-o", "csv"};
        CHECK(gapless.run(words).out == "number\n");
        CHECK(gapless.run(words).out == "number\n");
    }
}

}  // namespace gapless::test::cli_number_test
