#include "base/csv_reader.hpp"
#include "base/csv_writer.hpp"
#include "base/field_text.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gapless::csv_writer_test {

constexpr csv_style excel{.excel = true};

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
    TEST_CASE("fields are quoted where they have to be, formulas are none")
    {
        CHECK(text("a b") == "a b");
        CHECK(text("a,b") == "\"a,b\"");
        CHECK(text("a;b") == "a;b");
        CHECK(text("a\"b\n") == "\"a\"\"b\n\"");
        for (std::string const formula : {"=1+1", "+1", "-1", "@x", "\tx"})
            CHECK(text(formula) == "'" + formula);
        CHECK(text("\rx") == "\"'\rx\"");
        CHECK(text("a=b") == "a=b");
        CHECK(number("-12.50") == "-12.50");
        CHECK(number("4901214213405250000") == "4901214213405250000");
    }

    TEST_CASE("for Excel fields are separated by semicolons, and decimals have a comma")
    {
        CHECK(text("a;b", excel) == "\"a;b\"");
        CHECK(text("a,b", excel) == "a,b");
        CHECK(number("12.50", excel) == "12,50");
        CHECK(number("-0.5", excel) == "-0,5");
        CHECK(number("12", excel) == "12");
        CHECK(number("1.2.3", excel) == "1.2.3");
        CHECK(number("", excel).empty());
        std::string heading;
        append_csv_heading(heading, "a,b", excel);
        CHECK(
            heading == "\xef\xbb\xbf"
                       "a;b\n"
        );
    }

    TEST_CASE("for Excel a number that it would change is text, and reads back")
    {
        CHECK(number("4901214213405250000", excel) == "\"=\"\"4901214213405250000\"\"\"");
        CHECK(text("00340123450000000017", excel) == "\"=\"\"00340123450000000017\"\"\"");
        CHECK(number("0123", excel) == "\"=\"\"0123\"\"\"");
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
