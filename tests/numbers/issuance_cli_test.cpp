#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace gapless::test::cli_issuance_test {

/// Blocks 1 (100…199) and 2 (500…599) of which 105 numbers left: 3 for "a", 98 and 4 for "b".
struct issued
{
    issued()
    {
        gapless.stock();
        for (auto const& [count, reference] : {std::pair{"3", "a"}, {"98", "b"}, {"4", "b"}})
            REQUIRE(
                gapless.code({"issue", "dhl", "--count", count, "--reference", reference}) == 0
            );
    }

    /// "first-last first-last"
    std::string list(std::vector<std::string> words)
    {
        words.insert(words.begin(), {"issuance", "list", "dhl"});
        std::string text;
        for (auto const& each : gapless.json(words).elements())
            text += (text.empty() ? "" : " ") + each["first"].text() + '-' + each["last"].text();
        return text;
    }

    cli gapless;
};

TEST_SUITE("numbers/issuance_cli")
{
    TEST_CASE_FIXTURE(issued, "what was issued is listed, of one reference or block if you like")
    {
        CHECK(list({}) == "100-102 103-199 500-500 501-504");
        CHECK(list({"--reference", "a"}) == "100-102");
        CHECK(list({"--reference", "b"}) == "103-199 500-500 501-504");
        CHECK(list({"--reference", "nobody"}).empty());
        CHECK(list({"--block", "2"}) == "500-500 501-504");
        CHECK(list({"--block", "1", "--reference", "b"}) == "103-199");
        CHECK(gapless.code({"issuance", "list", "x"}) == 3);
        CHECK(gapless.code({"issuance", "list", "dhl", "--block", "x"}) == 2);
        auto const none = gapless.run({"issuance", "list", "dhl", "--block", "9"});
        CHECK(none.code == 3);
        CHECK(contains(none.err, "series 'dhl' has no block 9"));
        auto const table = gapless.run({"issuance", "list", "dhl"}).out;
        CHECK(table.starts_with("ISSUANCE  FIRST  LAST  COUNT  BLOCK  ORDINAL  ISSUED AT "));
        CHECK(std::ranges::count(table, '\n') == 5);
    }

    TEST_CASE_FIXTURE(issued, "what was issued again is listed for each time, or once with --last")
    {
        REQUIRE(
            gapless.code({"issue", "dhl", "--hold", "600", "--key", "h", "--reference", "h"}) == 0
        );
        auto const held =
            gapless.json({"issuance", "list", "dhl", "--reference", "h"})[0]["id"].text();
        REQUIRE(gapless.code({"hold", "release", held}) == 0);
        REQUIRE(gapless.code({"issue", "dhl", "--reference", "i"}) == 0);
        CHECK(list({"--block", "2"}) == "500-500 501-504 505-505 505-505");
        CHECK(list({"--block", "2", "--last"}) == "500-500 501-504 505-505");
        auto const csv = gapless.run({"ledger", "export", "dhl"}).out;
        CHECK(contains(csv, "\n505,505,106,2," + held + ",h,"));
        CHECK(contains(csv, ",released,\n505,505,106,2,"));
        auto const last = gapless.run({"ledger", "export", "dhl", "--last"}).out;
        CHECK(std::ranges::count(csv, '\n') == std::ranges::count(last, '\n') + 1);
        CHECK_FALSE(contains(last, ",h,"));

        auto const again =
            gapless.run({"issue", "dhl", "--hold", "600", "--key", "h", "--reference", "h"});
        CHECK(again.code == 5);
        CHECK(again.out.empty());
        CHECK(contains(again.err, "gone: 505 to 505 (1), released"));
        CHECK(gapless.code({"hold", "confirm", held}) == 5);
    }

    TEST_CASE_FIXTURE(issued, "a repeated key prints what is left, and says what is gone")
    {
        std::vector<std::string> const words{"issue", "dhl", "--count", "3", "--key", "k"};
        CHECK(gapless.run(words).out == "505\n506\n507\n");
        REQUIRE(gapless.code({"number", "void", "506", "--reason", "torn"}) == 0);
        auto const again = gapless.run(words);
        CHECK(again.code == 0);
        CHECK(again.out == "505\n507\n");
        CHECK(contains(again.err, "gone: 506 to 506 (1), voided"));
    }

    TEST_CASE_FIXTURE(issued, "as CSV the list has each number, for a recall")
    {
        auto const csv = gapless.run({"issuance", "list", "dhl", "--block", "2", "-o", "csv"}).out;
        CHECK(std::ranges::count(csv, '\n') == 6);
        CHECK(csv.starts_with("number,serial,ordinal,block,issuance,reference,issued_at,state,"
                              "reference_erased\n500,500,101,2,114,b,"));
        auto const excel =
            gapless.run({"issuance", "list", "dhl", "--reference", "b", "--excel", "de"}).out;
        CHECK(excel.starts_with("\xef\xbb\xbfnumber;serial;ordinal;"));
        CHECK(std::ranges::count(excel, '\n') == 103);
        CHECK(contains(excel, "\n504;504;105;2;11102;b;"));
    }

    TEST_CASE_FIXTURE(
        issued, "a reference with any separator is quoted, whichever a reader expects"
    )
    {
        for (std::string const reference : {"x,y", "x;y", "x\ty", "x\"y"})
        {
            gapless.database().run(
                "set local session_replication_role = replica; update gapless.ledger set reference "
                "= '" +
                reference + "' where ordinal = 1"
            );
            auto const quoted = reference == "x\"y" ? "\"x\"\"y\"" : '"' + reference + '"';
            for (auto const* option : {"-ocsv", "--excel=de"})
            {
                auto const text = gapless.run({"ledger", "export", "dhl", option}).out;
                auto const separator = option[1] == '-' ? ";" : ",";
                CHECK(contains(text, separator + quoted + separator));
            }
        }
    }

    TEST_CASE("a list that takes several pages has every range once")
    {
        cli gapless;
        gapless.database().create_series("dhl", {{1, 9'999}});
        gapless.database().run("select count(*) from generate_series(1, 2100) n, "
                               "gapless.issue('dhl', 1, key => n::text, reference => 'r')");
        CHECK(gapless.json({"issuance", "list", "dhl"}).size() == 2'100);
        CHECK(gapless.json({"issuance", "list", "dhl", "--reference", "r"}).size() == 2'100);
        auto const table = gapless.run({"issuance", "list", "dhl", "--block", "1"}).out;
        CHECK(std::ranges::count(table, '\n') == 2'101);
        CHECK(table.find("ISSUANCE") == table.rfind("ISSUANCE"));
        auto const csv = gapless.run({"issuance", "list", "dhl", "-o", "csv"}).out;
        CHECK(std::ranges::count(csv, '\n') == 2'101);
    }
}

}  // namespace gapless::test::cli_issuance_test
