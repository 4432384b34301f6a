#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>

namespace gapless::test::cli_block_load_test {

std::string remaining(cli const& gapless)
{
    return gapless.json({"series", "show", "dhl"})["remaining"].text();
}

TEST_SUITE("blocks/block_load_cli")
{
    TEST_CASE("a block is loaded as the carrier assigned it, both ends included")
    {
        cli gapless;
        gapless.stock();
        auto const block = gapless.json(
            {"block",
             "load",
             "dhl",
             "4901214213405250000",
             "4901214213405500000",
             "--count",
             "250001",
             "--reference",
             "letter 5",
             "--valid-until",
             "2099-12-31",
             "--yes"}
        );
        CHECK(block["count"] == 250001);
        CHECK(block["state"] == "queued");
        CHECK(block["reference"] == "letter 5");
        CHECK(block["valid_until"] == "2099-12-31T23:59:59.999999Z");
        CHECK(remaining(gapless) == "250201");
    }

    TEST_CASE(
        "a day is one of the database's time zone, at every door" * doctest::test_suite("night")
    )
    {
        cli gapless;
        gapless.stock();
        REQUIRE(gapless.code({"issue", "dhl", "--count", "2"}) == 0);
        REQUIRE(gapless.code({"database", "time-zone", "Pacific/Kiritimati"}) == 0);
        auto const valid_until = [&](std::string const& first, std::string const& when) {
            return gapless
                .json({"block", "load", "dhl", first, first, "--valid-until", when, "--yes"}
                )["valid_until"]
                .text();
        };
        CHECK(valid_until("900", "2099-12-31") == "2099-12-31T09:59:59.999999Z");
        CHECK(valid_until("901", "2099-12-31T12:00") == "2099-12-30T22:00:00.000000Z");
        auto const token = gapless.json(
            {"token", "create", "--name", "x", "--scope", "read", "--expires", "2099-12-31"}
        );
        CHECK(token["expires_at"] == "2099-12-31T09:59:59.999999Z");
        gapless.database().run("set local session_replication_role = replica; update "
                               "gapless.ledger set issued_at = '2026-11-24 23:30+00'");
        auto const rows = [&](std::string const& noun, std::string const& verb, char const* day) {
            auto const list =
                gapless.run({noun, verb, "dhl", "-o", "csv", "--from", day, "--to", day}).out;
            return std::ranges::count(list, '\n') - 1;
        };
        for (auto const& [noun, verb] : {std::pair{"issuance", "list"}, {"ledger", "export"}})
        {
            CHECK(rows(noun, verb, "2026-11-25") == 2);
            CHECK(rows(noun, verb, "2026-11-24") == 0);
        }
        CHECK(
            gapless.code({"ledger", "export", "dhl", "--from", "2026-11-25", "--to", "2026-11-24"}
            ) == 2
        );
        CHECK(
            gapless.code(
                {"token", "create", "--name", "x", "--scope", "read", "--expires", "2001-01-01"}
            ) == 2
        );
    }

    TEST_CASE("the person sees the count and the stock")
    {
        cli gapless;
        gapless.stock();
        auto const end = gapless.run({"block", "load", "dhl", "900", "999"});
        CHECK(end.code == 0);
        CHECK(end.err == "loaded 100 numbers, 900…999, into dhl; 300 remain in it\n");
    }

    TEST_CASE("a count that does not agree and values that are none are usage errors")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.code({"block", "load", "dhl", "900", "999", "--count", "99"}) == 2);
        CHECK(gapless.code({"block", "load", "dhl", "900", "999", "--count", "x"}) == 2);
        CHECK(gapless.code({"block", "load", "dhl", "999", "900"}) == 2);
        CHECK(gapless.code({"block", "load", "dhl", "1e3", "2000"}) == 2);
        CHECK(gapless.code({"block", "load", "dhl", "900"}) == 2);
        CHECK(gapless.code({"block", "load", "dhl"}) == 2);
        CHECK(gapless.code({"block", "load", "dhl", "900", "999", "--valid-until", "soon"}) == 2);
        CHECK(
            gapless.code({"block", "load", "dhl", "900", "999", "--valid-until", "2020-12-31"}) == 2
        );
        auto const zeros = gapless.run({"block", "load", "dhl", "00123000", "00123999", "--yes"});
        CHECK(zeros.code == 2);
        CHECK(contains(zeros.err, "plain-8"));
        CHECK(gapless.code({"block", "load", "dhl", "900", "999", "--file", "x"}) == 2);
        auto const end = gapless.run({"block", "load", "dhl", "0", "9223372036854775807"});
        CHECK(end.code == 2);
        CHECK(contains(end.err, "9223372036854775806"));
        CHECK(remaining(gapless) == "200");
    }

    TEST_CASE("a dry run shows the block and leaves nothing")
    {
        cli gapless;
        gapless.stock();
        auto const block = gapless.json({"block", "load", "dhl", "900", "999", "-n"});
        CHECK(block["id"] == nullptr);
        CHECK(block["count"] == 100);
        CHECK(block["dry_run"] == true);
        CHECK(remaining(gapless) == "200");
        CHECK(gapless.code({"block", "load", "dhl", "150", "160", "--dry-run"}) == 5);
    }

    TEST_CASE("a file is loaded whole, in its order")
    {
        cli gapless;
        gapless.stock();
        temporary_file const file{"\xef\xbb\xbf"
                                  "first;last;reference\r\n900;999;a\r\n700;799;\"b; c\"\r\n"};
        auto const blocks = gapless.json({"block", "load", "dhl", "--file", file.path()});
        REQUIRE(blocks.size() == 2);
        CHECK(blocks[0]["first"] == "900");
        CHECK(blocks[1]["first"] == "700");
        CHECK(blocks[1]["reference"] == "b; c");
        CHECK(remaining(gapless) == "400");
    }

    TEST_CASE("a file comes from standard input as well")
    {
        cli gapless;
        gapless.stock();
        CHECK(
            gapless.run({"block", "load", "dhl", "--file", "-"}, "first,last\n900,999\n").code == 0
        );
        CHECK(remaining(gapless) == "300");
        auto const end = gapless.run({"block", "load", "dhl", "--file", "-"}, "first,last\n1,x\n");
        CHECK(contains(end.err, "(standard input):2: column 2: last: 'x'"));
    }

    TEST_CASE("a file that overlaps a loaded block loads nothing and names line and column")
    {
        cli gapless;
        gapless.stock();
        temporary_file const file{"reference,first,last\na,900,999\nb,590,610\nc,1000,1999\n"};
        auto const end = gapless.run({"block", "load", "dhl", "--file", file.path()});
        CHECK(end.code == 5);
        CHECK(contains(end.err, file.path() + ":3: column 2: first: 590…610 "));
        CHECK(contains(end.err, "(500…599)"));
        CHECK(remaining(gapless) == "200");
    }

    TEST_CASE("warnings of a file are shown, and loaded by those who say yes only")
    {
        cli gapless;
        gapless.stock();
        temporary_file const file{"Von;Bis\n700;799\n100000;100099\n"};
        auto const end = gapless.run({"block", "load", "dhl", "--file", file.path()});
        CHECK(end.code == 5);
        CHECK(contains(end.err, "warning: other-length: number 100000 has 6 characters"));
        CHECK(contains(end.err, "nothing was loaded"));
        CHECK(remaining(gapless) == "200");
        CHECK(gapless.code({"block", "load", "dhl", "--file", file.path(), "--yes"}) == 0);
        CHECK(remaining(gapless) == "400");
    }

    TEST_CASE(
        "ends without check digits are loaded by those who say yes; voiding wants whole ones" *
        doctest::test_suite("night")
    )
    {
        cli gapless;
        gapless.stock();
        gapless.code(
            {"series",
             "create",
             "gls",
             "--carrier",
             "x",
             "--format",
             "gls-12",
             "--param",
             "depot=50",
             "--param",
             "kind=10"}
        );
        auto const end = gapless.run({"block", "load", "gls", "50101234567", "50101234568"});
        CHECK(end.code == 5);
        CHECK(contains(end.err, "completed: 50101234567 and 50101234568 are read as "));
        CHECK(gapless.code({"block", "load", "gls", "50101234567", "50101234568", "--yes"}) == 0);
        auto const id = gapless.json({"issue", "gls", "--hold", "600"})["id"].text();
        CHECK(
            contains(gapless.run({"number", "show", "50101234567"}).err, "is 501012345671 without")
        );
        CHECK(gapless.code({"number", "void", "50101234567", "--reason", "torn"}) == 2);
        CHECK(gapless.code({"hold", "confirm", id, "50101234567"}) == 2);
        CHECK(gapless.json({"number", "show", "501012345671"})["state"] == "held");
    }

    TEST_CASE("what can never be loaded is told before any warning")
    {
        cli gapless;
        gapless.stock();
        auto const end =
            gapless.run({"block", "load", "dhl", "--file", "-"}, "first,last\n150,1000000\n");
        CHECK(end.code == 5);
        CHECK(contains(end.err, "(standard input):2: column 1: first: 150…1000000 overlaps "));
        CHECK_FALSE(contains(end.err, "warning"));
    }

    TEST_CASE("a file that is not there is named")
    {
        cli gapless;
        gapless.stock();
        auto const end = gapless.run({"block", "load", "dhl", "--file", "/nowhere/blocks.csv"});
        CHECK(end.code == 2);
        CHECK(contains(end.err, "/nowhere/blocks.csv"));
    }
}

}  // namespace gapless::test::cli_block_load_test
