#include "cli_program.hpp"

#include <doctest/doctest.h>

#include <set>
#include <sstream>

namespace gapless::test {

TEST_SUITE("app/cli/number")
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

    TEST_CASE("voiding needs a reason, stays, and can be rehearsed")
    {
        cli gapless;
        gapless.stock();
        REQUIRE(gapless.code({"issue", "dhl"}) == 0);
        CHECK(gapless.code({"number", "void", "100", "--reason", " "}) == 2);
        CHECK(gapless.code({"number", "void", "100", "--reason", "torn", "-n"}) == 0);
        CHECK(gapless.json({"number", "show", "100"})["state"] == "issued");
        CHECK(gapless.json({"number", "void", "100", "--reason", "torn"})["state"] == "voided");
        CHECK(gapless.code({"number", "void", "100", "--reason", "torn"}) == 0);
        CHECK(gapless.code({"number", "void", "101", "--reason", "torn"}) != 0);
        CHECK(gapless.json({"series", "show", "dhl"})["states"]["voided"] == "1");
    }

    TEST_CASE("held numbers are confirmed or given back")
    {
        cli gapless;
        gapless.stock();
        auto const held = gapless.json({"issue", "dhl", "--count", "4", "--hold", "600"});
        CHECK(held["state"] == "held");
        auto const id = held["id"].get<std::string>();
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
        CHECK(csv.starts_with("number,serial,ordinal,block,issuance,reference,issued_at,state\n"
                              "100,100,1,1,111,\"a,\"\"b\"\"\","));
        CHECK(contains(csv, ",issued\n101,101,2,1,111,"));
        CHECK(csv.ends_with(",voided\n"));
        auto const lines = gapless.run({"ledger", "export", "dhl", "-o", "json"}).out;
        auto const first = nlohmann::json::parse(lines.substr(0, lines.find('\n')));
        CHECK(first["reference"] == "a,\"b\"");
        CHECK(first["state"] == "issued");
        CHECK(gapless.code({"ledger", "export", "x"}) == 3);
    }

    TEST_CASE("the parts of an export are even, have nothing in common and make the whole")
    {
        cli gapless;
        gapless.database().create_series("dhl", {{1, 50'000}});
        for (auto const* count : {"20000", "1", "1", "1", "2", "9995", "5000"})
            REQUIRE(gapless.code({"issue", "dhl", "--count", count}) == 0);
        std::set<std::string> records;
        for (auto const* part : {"1/3", "2/3", "3/3"})
        {
            std::istringstream out{gapless.run({"ledger", "export", "dhl", "--part", part}).out};
            std::string line;
            std::getline(out, line);
            std::size_t lines = 0;
            for (; std::getline(out, line); ++lines)
                records.insert(line);
            CHECK(lines >= 11'666);
            CHECK(lines <= 11'667);
        }
        CHECK(records.size() == 35'000);
        for (auto const* part : {"0/3", "4/3", "3", "/", "1/0"})
            CHECK(gapless.code({"ledger", "export", "dhl", "--part", part}) == 2);
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

}  // namespace gapless::test
