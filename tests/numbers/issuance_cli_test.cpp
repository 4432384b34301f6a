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
        for (std::string const request :
             {"3, reference => 'a'", "98, reference => 'b'", "4, reference => 'b'"})
            gapless.database().run("select count(*) from gapless.issue('dhl', " + request + ')');
    }

    cli gapless;
};

TEST_SUITE("numbers/issuance_cli")
{
    TEST_CASE_FIXTURE(issued, "what was issued is listed, of one reference or block if you like")
    {
        auto const list = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"issuance", "list", "dhl"});
            std::string text;
            for (auto const& each : gapless.json(words).elements())
                text +=
                    (text.empty() ? "" : " ") + each["first"].text() + '-' + each["last"].text();
            return text;
        };
        CHECK(list({}) == "100-102 103-199 500-500 501-504");
        CHECK(list({"--block", "1", "--reference", "b"}) == "103-199");
        CHECK(list({"--last", "--block", "2"}) == "500-500 501-504");
        auto const none = gapless.run({"issuance", "list", "dhl", "--block", "9"});
        CHECK(none.code == 3);
        CHECK(contains(none.err, "series 'dhl' has no block 9; list them: gapless block list dhl"));
        auto const table = gapless.run({"issuance", "list", "dhl"}).out;
        CHECK(table.starts_with("ISSUANCE  FIRST  LAST  COUNT  BLOCK  ORDINAL  ISSUED AT "));
        CHECK(std::ranges::count(table, '\n') == 5);
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
        CHECK(excel.starts_with("\xef\xbb\xbfSendungsnummer;Laufende Nummer;Ordnungszahl;"));
        CHECK(std::ranges::count(excel, '\n') == 103);
        CHECK(contains(excel, "\n504;504;105;2;11102;b;"));
        auto const lines = gapless.run({"ledger", "export", "dhl", "-o", "json"}).out;
        CHECK(std::ranges::count(lines, '\n') == 105);
        CHECK(json_value::parse(lines.substr(0, lines.find('\n')))["reference"] == "a");
    }

    TEST_CASE("a list that takes several pages has every range once" * doctest::test_suite("night"))
    {
        cli gapless;
        gapless.database().create_series("dhl", {{1, 9'999}});
        gapless.database().run("select count(*) from generate_series(1, 2100) n, "
                               "gapless.issue('dhl', 1, key => n::text, reference => 'r')");
        CHECK(gapless.json({"issuance", "list", "dhl", "--reference", "r"}).size() == 2'100);
        auto const table = gapless.run({"issuance", "list", "dhl", "--block", "1"}).out;
        CHECK(std::ranges::count(table, '\n') == 2'101);
        CHECK(table.find("ISSUANCE") == table.rfind("ISSUANCE"));
        auto const csv = gapless.run({"issuance", "list", "dhl", "-o", "csv"}).out;
        CHECK(std::ranges::count(csv, '\n') == 2'101);
    }
}

}  // namespace gapless::test::cli_issuance_test
