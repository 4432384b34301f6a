#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_reconcile_test {

/// `gapless` with a series dhl, of which 100…105 were issued, and 102…105 printed.
struct reconciling : cli
{
    reconciling()
    {
        stock();
        for (auto const* reference : {"a", "b", "c", "d", "e", "f"})
            code({"issue", "dhl", "--reference", reference});
        database().run(
            "select gapless.note_event(1, 'printed', gapless.ordinals_of(1, '{102}', '{105}'), "
            "'test', null, false)"
        );
    }

    process_end reconcile(std::string_view invoice, std::vector<std::string> more = {})
    {
        std::vector<std::string> words{"reconcile", "dhl", "-"};
        words.insert(words.end(), more.begin(), more.end());
        return run(words, invoice);
    }
};

TEST_SUITE("invoices/reconcile_cli")
{
    TEST_CASE("a German invoice is compared, its column and amounts are named")
    {
        reconciling gapless;
        auto const end = gapless.reconcile("Rechnungsnr;Datum;Sendungsnummer;Betrag (EUR)\r\n"
                                           "100;1.11.2026;102;4,00\r\n"
                                           "100;1.11.2026;103;4,10\r\n"
                                           "100;1.11.2026;103;4,10\r\n"
                                           "100;1.11.2026;99;1.000,50\r\n"
                                           ";;;\r\n");
        CHECK(end.code == 6);
        CHECK(
            end.out == "finding,number,line,amount,detail\n"
                       "outside-blocks,99,5,1000.50,in no loaded block of this series\n"
                       "billed-twice,103,4,4.10,also in line 3\n"
                       "never-billed,104,,,it is printed\n"
                       "never-billed,105,,,it is printed\n"
        );
        CHECK(contains(
            end.err, "numbers are in the column 'Sendungsnummer', amounts in 'Betrag (EUR)'"
        ));
        CHECK(contains(end.err, "billed twice    1  amount 4.10\n"));
        CHECK(contains(end.err, "4 findings"));
    }

    TEST_CASE(
        "amounts that may have decimals or thousands are told, unless another one shows which" *
        doctest::test_suite("night")
    )
    {
        reconciling gapless;
        std::string const invoice{"Barcode;Betrag\n102;4.125\n103;3.500\n104;7\n"};
        CHECK(contains(gapless.reconcile(invoice).err, "'3.500' is read as 3500.00; if that is"));
        CHECK_FALSE(contains(gapless.reconcile(invoice + "105;4,50\n").err, "is read as"));
        CHECK_FALSE(contains(gapless.reconcile("Barcode;Betrag\n102;7\n").err, "is read as"));
    }

    TEST_CASE("an invoice that agrees ends with 0")
    {
        reconciling gapless;
        auto const end = gapless.reconcile("Barcode\n102\n103\n104\n105\n");
        CHECK(end.code == 0);
        CHECK(contains(end.err, "the invoice agrees with the ledger"));
    }

    TEST_CASE("an invoice without a line that has a number agrees with nothing")
    {
        cli gapless;
        gapless.database().create_series("dhl", {{100, 199}});
        auto const end = gapless.run({"reconcile", "dhl", "-"}, "Barcode;Betrag\nSumme;0,00\n");
        CHECK(end.code == 0);
        CHECK(contains(end.err, "no line has a number; name their column with --column"));
        CHECK_FALSE(contains(end.err, "agrees"));
    }

    TEST_CASE("JSON has the column, the findings and their sums")
    {
        reconciling gapless;
        auto const end =
            gapless.reconcile("a,Barcode,price\nx,500,2.5\n", {"-o", "json", "--to", "1.1.2020"});
        CHECK(end.code == 6);
        auto const read = json_value::parse(end.out);
        CHECK(read["column"] == "Barcode");
        CHECK(read["findings"].size() == 1);
        CHECK(read["findings"][0]["amount"] == "2.50");
        CHECK(read["summary"]["amounts"]["never-issued"] == "2.50");
        CHECK(read["summary"]["amount_column"] == "price");
    }

    TEST_CASE("several rows, what is no line and what cannot be read are told")
    {
        reconciling gapless;
        auto const end = gapless.reconcile(
            "Rechnung 7\nBarcode;Text;a;b\n102;Fracht;1;4,00\n102;Maut;1;frei\n103;Fracht;1;4,00\n"
            "104;;1;4,00\n105;;1;4,00\nSumme;;;17,00\n",
            {"--amount-column", "4"}
        );
        CHECK(end.code == 0);
        for (auto const* told :
             {"lines           5\n",
              "several rows    1\n",
              "title lines     1\n",
              "total lines     1\n",
              "amounts unread  1\n",
              "in line 4: 'frei'\n",
              "the total of line 8 is 17.00, but the lines above it come to 16.00\n"})
        {
            CAPTURE(told);
            CHECK(contains(end.err, told));
        }
        auto const doubt = gapless.reconcile("Sendungsnummer;Paketnummer\n102;103\n104;105\n");
        CHECK(doubt.code == 2);
        CHECK(contains(doubt.err, "'Sendungsnummer' (place 1: 102 …) and 'Paketnummer' (place 2"));
    }

    TEST_CASE(
        "without a column of numbers nothing is compared, and the columns are named" *
        doctest::test_suite("night")
    )
    {
        reconciling gapless;
        auto const none = gapless.reconcile("Rechnungsnr;Datum\n1;2.1.2026\n2;2.1.2026\n");
        CHECK(none.code == 2);
        CHECK(none.out.empty());
        CHECK(contains(none.err, "(standard input):1: no column has the numbers"));
        CHECK(contains(none.err, "'Rechnungsnr', 'Datum'"));
        CHECK(gapless.reconcile("a;b\n102;7\n", {"--column", "c"}).code == 2);
        CHECK(gapless.reconcile("1\n", {"--from", "soon"}).code == 2);
        CHECK(gapless.reconcile("1\n", {"--from", "2026-02-01", "--to", "2026-01-01"}).code == 2);
        CHECK(gapless.reconcile("a;b\n7;102\n", {"--column", "2"}).out.starts_with("finding,"));
        CHECK(contains(gapless.reconcile("PK\x03\x04").err, "Save As"));
    }

    TEST_CASE("a number that another system issued is known as such" * doctest::test_suite("night"))
    {
        reconciling gapless;
        gapless.database().run(
            "select gapless.block_load('dhl', 700, 799, null, null, null, 'test', 749)"
        );
        auto const end = gapless.reconcile("Barcode\n102\n103\n104\n105\n720\n");
        CHECK(end.code == 0);
        CHECK(contains(end.err, "elsewhere       1\n"));
    }

    TEST_CASE("for Excel the list has semicolons, decimal commas and numbers that stay whole")
    {
        cli gapless;
        gapless.database().create_series("dhl", {{4901214213405250000, 4901214213405500000}});
        REQUIRE(gapless.code({"issue", "dhl", "--count", "2"}) == 0);
        auto const end = gapless.run(
            {"reconcile", "dhl", "-", "--excel", "de"}, "Barcode;Preis\n4901214213405250009;1,5\n"
        );
        CHECK(
            end.out == "\xef\xbb\xbf"
                       "Abweichung;Sendungsnummer;Zeile;Betrag;Näheres\n"
                       "berechnet, aber nie ausgegeben;\"=\"\"4901214213405250009\"\"\";2;1,50;Sie "
                       "wurde nie ausgegeben.\n"
        );
        auto const list = gapless.run({"block", "list", "dhl", "--excel", "de"});
        CHECK(list.out.starts_with("\xef\xbb\xbfNr.;Nummernkreis;Erste Nummer;Letzte Nummer;"));
        CHECK(contains(list.out, "\"=\"\"4901214213405250000\"\"\";"));
        auto const ledger = gapless.run({"ledger", "export", "dhl", "--excel", "de", "-o", "csv"});
        CHECK(contains(ledger.out, "\n\"=\"\"4901214213405250001\"\"\";"));
        CHECK(gapless.code({"block", "list", "dhl", "--excel", "de", "-o", "json"}) == 2);
    }
}

}  // namespace gapless::test::cli_reconcile_test
