#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_number_test {

TEST_SUITE("numbers/number_cli")
{
    TEST_CASE("a number shows where it stands, in any series")
    {
        cli gapless;
        gapless.stock();
        REQUIRE(gapless.code({"issue", "dhl", "--reference", "order 7"}) == 0);
        auto const issued = gapless.json({"number", "show", "1 00"});
        CHECK(issued["series"] == "dhl");
        CHECK(issued["state"] == "issued");
        CHECK(issued["ordinal"] == "1");
        CHECK(issued["reference"] == "order 7");
        CHECK(issued["history"][0]["kind"] == "issued");
        CHECK(gapless.json({"number", "show", "101", "--series", "dhl"})["state"] == "free");
        CHECK(gapless.code({"number", "show", "99"}) == 3);
        CHECK(gapless.code({"number", "show", "100", "--series", "x"}) == 3);
    }

    TEST_CASE("a number of several series needs --series")
    {
        cli gapless;
        gapless.stock();
        REQUIRE(gapless.code({"series", "create", "x", "--carrier", "c", "--space", "s"}) == 0);
        REQUIRE(gapless.code({"block", "load", "x", "100", "101"}) == 0);
        auto const refused = gapless.run({"number", "show", "100"});
        CHECK(refused.code == 5);
        CHECK(refused.err.find("the series dhl, x") != std::string::npos);
        CHECK(refused.err.find("--series") != std::string::npos);
        CHECK(gapless.code({"number", "void", "100", "--reason", "torn"}) == 5);
        CHECK(gapless.json({"number", "show", "100", "--series", "x"})["series"] == "x");
        REQUIRE(gapless.code({"issue", "dhl"}) == 0);
        CHECK(gapless.code({"number", "void", "100", "--series", "dhl", "--reason", "torn"}) == 0);
        CHECK(gapless.json({"number", "show", "100", "--series", "x"})["state"] == "free");
    }

    TEST_CASE("voiding needs a reason, stays, and can be rehearsed")
    {
        cli gapless;
        gapless.stock();
        REQUIRE(gapless.code({"issue", "dhl"}) == 0);
        CHECK(gapless.code({"number", "void", "100", "--reason", " "}) == 2);
        CHECK(gapless.code({"number", "void", "100", "--reason", "torn", "-n"}) == 0);
        CHECK(gapless.json({"number", "show", "100"})["state"] == "issued");
        auto const voided = gapless.run({"number", "void", "1 00", "--reason", "torn"});
        CHECK(contains(voided.out, "\nstate      voided\n"));
        CHECK_FALSE(contains(voided.out, "reference erased"));
        CHECK(contains(voided.out, "\n\nAT "));
        CHECK(voided.err == "100 of dhl is voided\n");
        CHECK(gapless.code({"number", "void", "100", "--reason", "torn"}) == 0);
        CHECK(gapless.code({"number", "void", "101", "--reason", "torn"}) != 0);
        CHECK(gapless.json({"series", "show", "dhl"})["states"]["voided"] == "1");
    }

    TEST_CASE("a decimal of a spreadsheet voids no other number")
    {
        cli gapless;
        gapless.stock();
        REQUIRE(gapless.code({"issue", "dhl", "--count", "2"}) == 0);
        for (std::string const number : {"10.0", "10-0", "1.00", "(100)"})
        {
            auto const refused = gapless.run({"number", "void", number, "--reason", "torn"});
            CHECK_MESSAGE(refused.code == 3, number);
            CHECK_MESSAGE(refused.err.find("a spreadsheet may have") != std::string::npos, number);
        }
        CHECK(gapless.json({"number", "show", "100"})["state"] == "issued");
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
        CHECK(gapless.code({"hold", "confirm", "119999"}) == 3);
        CHECK(gapless.code({"hold", "confirm", "x"}) == 3);
        CHECK(gapless.code({"issue", "dhl", "--hold", "0"}) == 2);
    }

    TEST_CASE("the ledger has one record for each number")
    {
        cli gapless;
        gapless.stock();
        REQUIRE(gapless.code({"issue", "dhl", "--count", "2", "--reference", "a,\"b\""}) == 0);
        REQUIRE(gapless.code({"number", "void", "101", "--reason", "torn"}) == 0);
        auto const csv = gapless.run({"ledger", "export", "dhl"}).out;
        CHECK(csv.starts_with("number,serial,ordinal,block,issuance,reference,issued_at,state,"
                              "reference_erased\n"
                              "100,100,1,1,111,\"a,\"\"b\"\"\","));
        CHECK(contains(csv, ",issued,\n101,101,2,1,111,"));
        CHECK(csv.ends_with(",voided,\n"));
        auto const lines = gapless.run({"ledger", "export", "dhl", "-o", "json"}).out;
        auto const first = json_value::parse(lines.substr(0, lines.find('\n')));
        CHECK(first["reference"] == "a,\"b\"");
        CHECK(first["state"] == "issued");
        CHECK(gapless.code({"ledger", "export", "x"}) == 3);
    }

    TEST_CASE("a reference is erased by its text or by age, and told everywhere")
    {
        cli gapless;
        gapless.stock();
        for (auto const* reference : {"order 7", "order 8", "order 7"})
            REQUIRE(
                gapless.code({"issue", "dhl", "--key", reference, "--reference", reference}) == 0
            );
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
        CHECK(erase({"--before", "yesterday"}) == "exit 2");
        CHECK(erase({"--before", "9999-01-01"}) == "exit 2");
        CHECK(erase({"--before", "2020-01-01"}) == "0");
        CHECK(gapless.code({"reference", "erase", "dhl", "order 7"}) == 2);
        CHECK(gapless.code({"reference", "erase", "dhl", "order 7", "--reason", ""}) == 2);
        CHECK(gapless.code({"reference", "erase", "x", "order 7", "--reason", "asked"}) == 3);
        CHECK(gapless.json({"number", "show", "100"})["reference"] == "order 7");
        CHECK_FALSE(gapless.json({"number", "show", "100"}).contains("reference_erased"));

        CHECK(erase({"-"}, "order 7\n") == "1");
        auto const shown = gapless.json({"number", "show", "100"});
        CHECK(shown["reference"].is_null());
        CHECK(shown["reference_erased"] == true);
        auto const again =
            gapless.json({"issue", "dhl", "--key", "order 7", "--reference", "order 7"});
        CHECK(again["numbers"][0] == "100");
        CHECK(again["reference"].is_null());
        CHECK(again["reference_erased"] == true);
        CHECK(contains(gapless.run({"ledger", "export", "dhl"}).out, ",issued,yes\n101,"));
        auto const lines = gapless.run({"ledger", "export", "dhl", "-o", "json"}).out;
        auto const first = json_value::parse(lines.substr(0, lines.find('\n')));
        CHECK(first["reference"].is_null());
        CHECK(first["reference_erased"] == true);
        CHECK(gapless.code({"verify", "--chain"}) == 0);
    }

    TEST_CASE("a day is closed once and never one to come")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.code({"manifest", "dhl", "--date", "2999-01-01"}) == 2);
        CHECK(gapless.code({"manifest", "dhl", "--date", "yesterday"}) == 2);
        CHECK(gapless.code({"manifest", "x", "--date", "2026-01-01"}) == 3);
        auto const words =
            std::vector<std::string>{"manifest", "dhl", "--date", "2026-01-01", "-o", "csv"};
        CHECK(gapless.run(words).out == "number\n");
        CHECK(gapless.run(words).out == "number\n");
    }
}

}  // namespace gapless::test::cli_number_test
