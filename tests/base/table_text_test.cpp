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

    TEST_CASE("what is no text is said so, with the way out")
    {
        CHECK(
            read("PK\x03\x04 and more").find("this is an Excel workbook (.xlsx)") != read("").npos
        );
        CHECK(read("PK\x03\x04 and more").find("Save As") != std::string::npos);
        CHECK(read("\xd0\xcf\x11\xe0 and more").find("(.xls)") != std::string::npos);
        CHECK(read("%PDF-1.7").find("this is a PDF") != std::string::npos);
        CHECK(
            read("\xff\xfe"
                 "a")
                .find("this is UTF-16") != std::string::npos
        );
        CHECK(
            read(std::string_view{"a;b\n1\0;2\n", 10}) ==
            "f:2: this is no text; save the file as CSV in UTF-8"
        );
    }
}

}  // namespace gapless::table_text_test
