#include "base/csv_reader.hpp"
#include "base/table_text.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gapless::table_text_test {

/// "2:a|b 3:c|d", rows with their lines, or the fault.
std::string read(std::string_view bytes)
{
    table_text table;
    if (auto const fault = open_table(bytes, table))
        return to_text(*fault, "f");
    std::string text;
    auto const take = [&](csv_row const& row) {
        text += (text.empty() ? "" : " ") + std::to_string(row.line) + ':';
        for (std::size_t n = 0; n < row.fields.size(); ++n)
            text += (n == 0 ? "" : "|") + row.fields[n];
        return true;
    };
    auto const fault = read_csv(table.text, table.separator, take, table.first_line);
    return fault ? "fault in " + std::to_string(fault->line) : text;
}

TEST_SUITE("base/table_text")
{
    TEST_CASE("comma, semicolon and tab separate, as the first line with one of them has it")
    {
        CHECK(read("a,b\n1,2\n") == "1:a|b 2:1|2");
        CHECK(read("a;b\n1,5;2\n") == "1:a|b 2:1,5|2");
        CHECK(read("a\tb\n1\t\n") == "1:a|b 2:1|");
        CHECK(read("Rechnung\n\na;b\n") == "1:Rechnung 3:a|b");
        CHECK(read("a\n1\n") == "1:a 2:1");
    }

    TEST_CASE("a line sep= names the separator and counts as a line")
    {
        CHECK(read("sep=;\r\na;b\r\n") == "2:a|b");
        CHECK(read("SEP=,\na,b;c\n") == "2:a|b;c");
        CHECK(read("\"sep=;\"\na;b\n") == "2:a|b");
        CHECK(read("sep=\t\na\tb\n") == "2:a|b");
        CHECK(read("\xef\xbb\xbfsep=;\na;b\n") == "2:a|b");
        CHECK(read("sep=;") == "");
        CHECK(read("separat,b\n1,2\n") == "1:separat|b 2:1|2");
    }

    TEST_CASE("bytes that are no UTF-8 are Windows-1252")
    {
        CHECK(read("G\xfcltig bis;\x80;\x96\n") == "1:Gültig bis|€|–");
        CHECK(read("\xef\xbb\xbfG\xc3\xbcltig;b\n") == "1:Gültig|b");
        CHECK(read("Gültig;b\n") == "1:Gültig|b");
        CHECK(
            read("a;b\n\x81;c\n") ==
            "f:2: this is neither UTF-8 nor Windows-1252: a byte is 81; save the file as CSV in "
            "UTF-8"
        );
        CHECK(
            read("\xef\xbb\xbfG\xfcltig;b\n") ==
            "f:1: this is not UTF-8; save the file as CSV in UTF-8"
        );
    }

    TEST_CASE("the separator is the one that the rows agree on, whatever stands above them")
    {
        CHECK(read("Rechnung 7, Kunde 1, Nov, a\nNr;Preis (EUR, netto)\n1;4,10\n2;4,20\n")
                  .ends_with("3:1|4,10 4:2|4,20"));
        CHECK(read("Nr, lang;Preis, netto\n1;4,10\n").ends_with("2:1|4,10"));
        CHECK(read("1;4,10\n2;4,20\nSumme;;8,30\n").starts_with("1:1|4,10"));
        CHECK(read("1,a;b,4.1\n2,c;d,4.2\n") == "1:1|a;b|4.1 2:2|c;d|4.2");
        CHECK(read("1,\"a;b\"\n2,\"c;d\"\n") == "1:1|a;b 2:2|c;d");
        CHECK(read("a|b\n1|2,5\n") == "1:a|b 2:1|2,5");
    }

    TEST_CASE("a quote in an unquoted field is a character, elsewhere a fault")
    {
        CHECK(read("1;24\" breit;x\n2;=\"07\";y\n") == "1:1|24\" breit|x 2:2|=\"07\"|y");
        CHECK(read("1;\"a\"\"b\n;c\";x\n") == "1:1|a\"b\n;c|x");
        CHECK(read("1;\"24\" breit\";x\n") == "fault in 1");
        CHECK(read("1;\"a\n2;b\n") == "fault in 1");
    }

    TEST_CASE("UTF-16 with a byte order mark is read")
    {
        CHECK(
            read(
                {"\xff\xfe"
                 "a\0;\0\xac\x20\n\0",
                 10}
            ) == "1:a|€"
        );
        CHECK(read({"\xfe\xff\0a\0,\xd8\x3d\xde\x00", 10}) == "1:a|😀");
        CHECK(
            read(
                {"\xff\xfe"
                 "a\0\x3d\xd8",
                 6}
            ) == "f: this is broken UTF-16; save the file as CSV in UTF-8"
        );
        CHECK(
            read("\xff\xfe"
                 "a")
                .find("broken UTF-16") != std::string::npos
        );
        CHECK(read({"a\0;\0b\0", 6}).find("UTF-16 without") != std::string::npos);
    }

    TEST_CASE("what is no table is said so, with the way out")
    {
        struct foreign
        {
            std::string_view bytes;
            std::string_view what;
        };
        for (auto const& each :
             {foreign{"PK\x03\x04 and more", "this is an Excel workbook (.xlsx)"},
              foreign{"PK\x03\x04 [Content_Types].xml", "this is an Excel workbook (.xlsx); open"},
              foreign{
                  "\xd0\xcf\x11\xe0 and more", "(.xls); open it in Excel, choose File, Save As"},
              foreign{"%PDF-1.7", "this is a PDF"},
              foreign{"\xef\xbb\xbf\n<html><body><table>", "web page (HTML)"},
              foreign{"<!DOCTYPE html>", "web page (HTML)"},
              foreign{"<table><tr><td>", "web page (HTML)"},
              foreign{
                  "<?xml version='1.0'?><Workbook "
                  "xmlns='urn:schemas-microsoft-com:office:spreadsheet'>",
                  "in XML; open"},
              foreign{"<?xml version='1.0'?><Invoice>", "this is XML; ask the carrier"},
              foreign{"[\n  {\"number\": 1}]", "this is JSON"},
              foreign{"{\"a\":[]}", "this is JSON"},
              foreign{"UNA:+.? 'UNB+UNOC:3+", "this is EDIFACT"},
              foreign{"UNB+UNOC:3+", "this is EDIFACT"},
              foreign{"ISA*00*", "X12"}})
        {
            CAPTURE(each.bytes);
            CHECK(read(each.bytes).find(each.what) != std::string::npos);
        }
        CHECK(read("[Nr],<x>\n1,2\n") == "1:[Nr]|<x> 2:1|2");
        CHECK(
            read(std::string_view{"a;b\n1\0;2\n", 10}) ==
            "f:2: this is no text; save the file as CSV in UTF-8"
        );
    }
}

}  // namespace gapless::table_text_test
