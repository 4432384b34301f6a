#include "base/csv_reader.hpp"
#include "base/csv_writer.hpp"
#include "base/field_text.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gapless::csv_writer_test {

constexpr csv_style excel{.excel = excel_language::de};
constexpr csv_style english{.excel = excel_language::en};

std::string text(std::string_view value, csv_style style = {})
{
    std::string out;
    append_csv_text(out, value, style);
    return out;
}

std::string number(std::string_view value, csv_style style = {})
{
    std::string out;
    append_csv_number(out, value, style);
    return out;
}

TEST_SUITE("base/csv_writer")
{
    TEST_CASE("for programs fields are as they are, quoted where they have to be")
    {
        CHECK(text("a b") == "a b");
        CHECK(text("a,b") == "\"a,b\"");
        CHECK(text("a;b") == "a;b");
        CHECK(text("a\"b\n") == "\"a\"\"b\n\"");
        for (std::string const kept : {"=1+1", "+1", "-4711", "@x", "\tx", "0123", "12E5"})
            CHECK(text(kept) == kept);
        CHECK(text("\rx") == "\"\rx\"");
        CHECK(text("a=b") == "a=b");
        CHECK(number("-12.50") == "-12.50");
        CHECK(number("4901214213405250000") == "4901214213405250000");
    }

    TEST_CASE("for Excel a formula is text")
    {
        for (std::string const formula : {"=1+1", "+1", "-4711", "@x", "\tx"})
            for (auto const style : {excel, english})
                CHECK(text(formula, style) == "'" + formula);
        CHECK(text("\rx", excel) == "\"'\rx\"");
        CHECK(text("=a,b", english) == "\"'=a,b\"");
        CHECK(number("-12", english) == "-12");
    }

    TEST_CASE("for an English Excel there are commas, and points in decimals")
    {
        CHECK(text("a;b", english) == "a;b");
        CHECK(text("a,b", english) == "\"a,b\"");
        CHECK(number("12.50", english) == "12.50");
        CHECK(number("4901214213405250000", english) == "\"=\"\"4901214213405250000\"\"\"");
        CHECK(english.start() == excel.start());
    }

    TEST_CASE("for a German Excel fields are separated by semicolons, and decimals have a comma")
    {
        CHECK(text("a;b", excel) == "\"a;b\"");
        CHECK(text("a,b", excel) == "a,b");
        CHECK(number("12.50", excel) == "12,50");
        CHECK(number("-0.5", excel) == "-0,5");
        CHECK(number("12", excel) == "12");
        CHECK(number("1.2.3", excel) == "1.2.3");
        CHECK(number("", excel).empty());
        std::string heading;
        append_csv_heading(heading, "number,valid_until,other", excel);
        CHECK(
            heading == "\xef\xbb\xbf"
                       "Sendungsnummer;G\xc3\xbcltig bis;other\n"
        );
        CHECK(to_csv_word("never-billed", excel) == "gebraucht, aber nicht berechnet");
        CHECK(to_csv_word("never-billed", english) == "never-billed");
    }

    TEST_CASE("for Excel a number that it would change is text, and reads back")
    {
        CHECK(number("4901214213405250000", excel) == "\"=\"\"4901214213405250000\"\"\"");
        CHECK(text("00340123450000000017", excel) == "\"=\"\"00340123450000000017\"\"\"");
        CHECK(number("0123", excel) == "\"=\"\"0123\"\"\"");
        CHECK(text("12E5", excel) == "\"=\"\"12E5\"\"\"");
        CHECK(number("0", excel) == "0");
        CHECK(number("123456789012345", excel) == "123456789012345");
        CHECK(text("=\"4901\"", excel) == "\"'=\"\"4901\"\"\"");

        auto const line = number("4901214213405250000", excel) + ";x\n";
        read_csv(line, ';', [](csv_row const& row) {
            CHECK(to_number_text(row.fields.front()) == "4901214213405250000");
            return true;
        });
    }
}

}  // namespace gapless::csv_writer_test
