#include "base/moment.hpp"
#include "blocks/block_file_day.hpp"
#include "blocks/read_blocks.hpp"
#include "formats/catalogue.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gapless::block_layout_test {

/// The blocks with what else a file says of them, or the first fault; then the warnings.
std::string told(std::string_view bytes, bound_format const* format = nullptr)
{
    auto const file = read_block_file(bytes, format);
    auto told = test::text(file);
    if (file.faults.empty())
        for (auto const& block : file.blocks)
        {
            told += block.reference ? " " + *block.reference : "";
            told += block.valid_until ? " " + block.valid_until->text : "";
        }
    for (auto const& each : file.warnings)
        told += fmt::format(" | {}: {}", each.code, each.detail);
    return told;
}

struct table_case
{
    std::string_view bytes;
    std::string_view told;
};

void check(std::span<table_case const> cases, bound_format const* format = nullptr)
{
    for (auto const& each : cases)
    {
        CAPTURE(each.bytes);
        CHECK(told(each.bytes, format) == each.told);
    }
}

TEST_SUITE("blocks/block_layout")
{
    TEST_CASE("columns are called as carriers call them, in many languages")
    {
        for (std::string_view const heading :
             {"First tracking number;Last tracking number;Qty",
              "Range start;Range end;Count",
              "Sendungsnummer von (20-stellig, ohne Leerzeichen);Sendungsnummer bis;Anzahl Nummern",
              "Start-Nr.;END-NR.;St\xc3\x9c"
              "CK",
              "N\xc2\xb0 d\xc3\xa9"
              "but;N\xc2\xb0 fin;Quantit\xc3\xa9",
              "Eerste nummer;Laatste nummer;Aantal",
              "Da;A;Quantit\xc3\xa0",
              "N\xc3\xbamero inicial;N\xc3\xbamero final;Cantidad",
              "Startnummer;Slutnummer;Antal"})
        {
            CAPTURE(heading);
            CHECK(told(std::string{heading} + "\n100;200;101\n") == "100-200");
            CHECK(
                test::text(read_block_file(std::string{heading} + "\n100;200;100\n"))
                    .find("column 3: count: 100") != std::string::npos
            );
        }
    }

    TEST_CASE("columns and lines that are not read are told, a total is compared")
    {
        check(std::array<table_case, 8>{{
            {"Von;Bis;Anzahl\n1;100;100\n101;250000;249900\nSumme 250.000\n", "1-100 101-250000"},
            {"first;count;reference\n1;100;Auftrag 1\n101;100;Gesamt 2\n",
             "1-100 101-200 Auftrag 1 Gesamt 2"},
            {"Produkt;Von;Bis;Anzahl\nPaket;1;100;100\nBrief;201;300;100\nSumme;;;200\n",
             "1-100 201-300 | ignored-columns: not read: column 1 'Produkt' ('Paket', …)"},
            {"Von;Bis;Anzahl\n1;100;100\nGesamt;;101\n",
             "f.csv:3: the total 'Gesamt  101' does not agree: the blocks above hold 100 numbers"},
            {"Zuteilung, Kunde 4711\n\nVon;Bis\n1;100\nViele Gr\xc3\xbc\xc3\x9f"
             "e;\n",
             "1-100 | ignored-lines: not read: line 1 ('Zuteilung, Kunde 4711'); line 5 ('Viele "
             "Gr\xc3\xbc\xc3\x9f"
             "e ')"},
            {"Von;Bis;Leer\n1;100;\n", "1-100"},
            {"Von;Bis\n1;100\nVon;Bis\n101;200\n", "1-100 101-200"},
            {"Von;Bis\nn/a;n/a\n",
             "f.csv: there is no block below the header | ignored-lines: not read: line 2 ('n/a "
             "n/a')"},
        }});
    }

    TEST_CASE("numbers with more letters than digits are no words")
    {
        auto const gls = bound_format::bind(*find_format("gls-8"), {}).value();
        CHECK(told("first;last\nZDAAAAB0;ZDAAAAB9\nZDAAAABA;ZDAAAABZ\nend;of list\n", &gls)
                  .ends_with(" | ignored-lines: not read: line 4 ('end of list')"));
    }

    TEST_CASE("faults name whole numbers, as a series has them")
    {
        auto const fedex = bound_format::bind(*find_format("fedex-express-12"), {}).value();
        check(
            std::array<table_case, 3>{{
                {"first,last,count\n794791341943,794791342012,9\n",
                 "f.csv:2: column 3: count: 794791341943…794791342012 holds 8 numbers, both ends "
                 "included, not 9"},
                {"first,last\n794791341943,794791342012\n794791341998,794791342012\n",
                 "f.csv:3: column 1: first: 794791341998…794791342012 overlaps "
                 "794791341943…794791342012 of line 2"},
                {"first,count\n794791341943,99999999999\n",
                 "f.csv:2: column 2: count: no 99999999999 numbers begin with 794791341943"},
            }},
            &fedex
        );
    }

    TEST_CASE("a table without a heading is told by its first block")
    {
        check(std::array<table_case, 7>{{
            {"100,200\n300,400\n", "100-200 300-400"},
            {"900;1099\n", "900-1099"},
            {"1000\t1999\t1.000\tBrief vom 1.12.\n", "1000-1999 Brief vom 1.12."},
            {"1000;1999;1000;Brief;31.12.27\n", "1000-1999 Brief 2027-12-31"},
            {"1000;1999;31.12.27\n",
             "1000-1999 2027-12-31 | no-heading: there is no heading: the days in column 3 are "
             "read "
             "as valid_until"},
            {"1000;1999;999\n",
             "f.csv:1: column 3: count: 1000…1999 holds 1000 numbers, both ends included, not 999"},
            {"Pocz\xc4\x85tek;Koniec\n1000;1999\n",
             "1000-1999 | no-heading: there is no heading: columns 1 and 2 are read as first and "
             "last | ignored-lines: not read: line 1 ('Pocz\xc4\x85tek Koniec')"},
        }});
    }

    TEST_CASE("blocks are found in a letter, and never without a warning")
    {
        for (std::string_view const text :
             {"von 1234500 bis 1234599",
              "Start: 1234500 Ende: 1234599",
              "Start: 1234500\nEnde: 1234599\nAnzahl: 100",
              "1234500 \xe2\x80\x93 1234599",
              "1234500-1234599",
              "1234500\n1234599\n",
              "The range from 1234500 to 1234599.",
              "1 234 500 bis 1 234 599 (100 St\xc3\xbc"
              "ck)"})
        {
            CAPTURE(text);
            auto const found = told(text);
            CHECK(found.find("1234500-1234599 | no-heading: found in a text") == 0);
        }
        check(std::array<table_case, 8>{{
            {"Letzte Nummer: 1234599\nErste Nummer: 1234500 g\xc3\xbcltig bis zum 31. Dezember "
             "2027",
             "1234500-1234599 2027-12-31 | no-heading: found in a text without columns: "
             "1234500…1234599"},
            {"1234500 to 1234599, valid until 31 d\xc3\xa9"
             "cembre 2027",
             "1234500-1234599 | no-heading: found in a text without columns: 1234500…1234599 | "
             "ignored-lines: not read: '31 d\xc3\xa9"
             "cembre 2027'"},
            {"von 1234500 bis 1234599 g\xc3\xbcltig bis 31.12.27, Kunde 7654321 vom 1.12.2026",
             "1234500-1234599 2027-12-31 | no-heading: found in a text without columns: "
             "1234500…1234599 | ignored-lines: not read: '1.12.2026'; '7654321'"},
            {"1234500 - 1234599\n1234700 - 1234799",
             "1234500-1234599 1234700-1234799 | no-heading: found in a text without columns: "
             "1234500…1234599, 1234700…1234799"},
            {"Kunde 7654321 1234500 1234599",
             "f.csv: it is not clear which of these numbers are first and last of a block: "
             "'7654321', '1234500', '1234599'; name the columns in the first line: "
             "first,last,count,reference,valid_until"},
            {"von 1234500 bis 1234599 Anzahl: 99",
             "f.csv:1: count: 1234500…1234599 holds 100 numbers, both ends included, not 99 | "
             "no-heading: found in a text without columns: 1234500…1234599"},
            {"first,last1234500,A",
             "f.csv: the text has one number of a block, 'last1234500', but no other end and no "
             "count; the text is a single line: curl -d removes line breaks, --data-binary keeps "
             "them; name the columns in the first line: first,last,count,reference,valid_until"},
            {"Guten Tag",
             "f.csv: there is no table of blocks, and no number of a block in the text; "
             "name the columns in the first line: first,last,count,reference,valid_until"},
        }});
    }

    TEST_CASE("a first number and a count are a block, which is asked")
    {
        constexpr std::string_view asked{
            "1234500-1234599 | no-heading: found in a text without columns: 1234500"};
        for (std::string_view const text :
             {"ab 1234500, 100 St\xc3\xbc"
              "ck",
              "100 Sendungsnummern ab 1234500",
              "First number: 1234500\nCount: 100",
              "from 1234500, 100 numbers in 12 boxes",
              "Kunde 5012345678\nab 1234500, 100 St\xc3\xbc"
              "ck"})
        {
            CAPTURE(text);
            auto const file = read_block_file(text);
            CHECK(told(text).find(asked) == 0);
            REQUIRE(file.blocks.size() == 1);
            CHECK(
                file.blocks[0].completed ==
                "the last number is that of the count: 100 from 1234500 to 1234599"
            );
        }
        check(std::array<table_case, 8>{{
            {"Ab;Menge\n1234500;100\n", "1234500-1234599"},
            {"Von;Bis;Anzahl\n1;50;50\n101;;100\n", "1-50 101-200"},
            {"123450000\t1.000\n", "123450000-123450999"},
            {"ab 1234500 2.500 St\xc3\xbc"
             "ck\nab 1334500: 100 St\xc3\xbc"
             "ck",
             "1234500-1236999 1334500-1334599 | no-heading: found in a text without columns: "
             "1234500, 1334500"},
            {"Ab;Menge\n1234500;0\n", "f.csv:2: column 2: count: has to be 1 or more"},
            {"Ab;Menge\n1234500;viele\n",
             "f.csv:2: column 2: count: 'viele' is not a whole number: only the digits 0 to 9 are "
             "allowed"},
            {"ab 123450000001 (Kunde 123456)",
             "f.csv: it is not clear which of these numbers are first and last of a block: "
             "'123450000001', '123456'; name the columns in the first line: "
             "first,last,count,reference,valid_until"},
            {"Ihr Nummernkreis beginnt mit 1234500",
             "f.csv: the text has one number of a block, '1234500', but no other end and no count; "
             "name the columns in the first line: first,last,count,reference,valid_until"},
        }});
    }

    TEST_CASE("tables are read as they are drawn, with both ends in one column, or from a PDF")
    {
        check(std::array<table_case, 6>{{
            {"| Von | Bis |\n|---|:--:|\n| 100 | 200 |\n", "100-200"},
            {" first | last\n-------+------\n 100   | 200\n", "100-200"},
            {"Produkt;Bereich\nPaket;1234500 - 1234599\nPaket;1234700 - 1234799\n",
             "1234500-1234599 1234700-1234799 | no-heading: found in a text without columns: "
             "1234500…1234599, 1234700…1234799"},
            {"Start: 1234500, Ende: 1234599",
             "1234500-1234599 | no-heading: found in a text without columns: 1234500…1234599"},
            {"Range: 12345000 - 12349999\nQuantity: 5,000 numbers\n",
             "12345000-12349999 | no-heading: found in a text without columns: 12345000…12349999"},
            {"Von;Bis;Anzahl\n1;250000;250\xe2\x80\x99"
             "000\n",
             "1-250000"},
        }});
    }

    TEST_CASE("numbers of the series are told from others by their check characters")
    {
        auto const sscc = bound_format::bind(
                              *find_format("gs1-sscc"), {{"ext", "3"}, {"gcp", "4012345"}}
        ).value();
        check(
            std::array<table_case, 5>{{
                {"Kunde 1234567 Seite 1\n\nvon bis St\xc3\xbc"
                 "ck\n340123450000000024 340123450000000093 8\f\n"
                 "340123450000000109 340123450000000192 10",
                 "2-9 10-19 | no-heading: found in a text without columns: "
                 "340123450000000024…340123450000000093, 340123450000000109…340123450000000192 | "
                 "ignored-lines: not read: '1234567'"},
                {"Produkt Von Bis St\xc3\xbc"
                 "ck\nPaket 340123450000000024 340123450000000093 8",
                 "2-9 | no-heading: found in a text without columns: "
                 "340123450000000024…340123450000000093"},
                {"A 340123450000000024 340123450000000093 100.000\n"
                 "B 340123450000000108 340123450000000190 100.000",
                 "f.csv: it is not clear which of these numbers are first and last of a block: "
                 "'340123450000000024', '340123450000000093', '100.000', "
                 "'340123450000000108', '340123450000000190', '100.000'; name the columns in the "
                 "first line: "
                 "first,last,count,reference,valid_until"},
                {"(00) 3 4012345 000000002 4 to (00) 3 4012345 000000009 3",
                 "2-9 | no-heading: found in a text without columns: "
                 "(00)340123450000000024…(00)340123450000000093"},
                {"Kunde 1234567: 340123450000000024 und 340123450000000093",
                 "2-9 | no-heading: found in a text without columns: "
                 "340123450000000024…340123450000000093 | ignored-lines: not read: '1234567'"},
            }},
            &sscc
        );
    }

    TEST_CASE("a day that can be read in two ways is refused with both")
    {
        struct day_case
        {
            std::string_view text;
            std::string_view days;
        };
        for (auto const& each : std::array<day_case, 13>{{
                 {"31. Dezember 2026", "2026-12-31"},
                 {"M\xc3\xa4rz 1, 2027", "2027-03-01"},
                 {"31 Maybe 26", ""},
                 {"31.12.26", "2026-12-31"},
                 {"1.2.2026", "2026-02-01"},
                 {"2026-12-31", "2026-12-31"},
                 {"31/12/2026", "2026-12-31"},
                 {"12/31/26", "2026-12-31"},
                 {"02/02/26", "2026-02-02"},
                 {"01/02/26", "2026-02-01 2026-01-02"},
                 {"26-12-31", "2031-12-26 2026-12-31"},
                 {"31.02.2026", ""},
                 {"1.2", ""},
             }})
        {
            CAPTURE(each.text);
            CHECK(fmt::format("{}", fmt::join(read_days(each.text), " ")) == each.days);
        }
        CHECK(
            told("first,last,valid_until\n1,2,01/02/26\n") ==
            "f.csv:2: column 3: valid_until: '01/02/26' may be 2026-02-01 or 2026-01-02; write the "
            "one that is meant"
        );
    }
}

}  // namespace gapless::block_layout_test
