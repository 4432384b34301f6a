#include "base/moment.hpp"
#include "blocks/read_blocks.hpp"
#include "formats/catalogue.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>

namespace gapless::block_habits_test {

using test::read;
using test::text;

bool says(std::string const& text, std::string_view part)
{
    return text.find(part) != std::string::npos;
}

constexpr std::string_view rounded{"Excel may have rounded it"};

TEST_SUITE("blocks/block_habits")
{
    TEST_CASE("a table as a German Excel writes it is read")
    {
        auto const file = read_block_file(
            "Erste;Letzte;Anzahl;Referenz;G\xfcltig bis;;\r\n"
            "4901 2142 1340 5250 000;4901214213405500000;250.001;Brief M\xfcller;31.12.2027;;\r\n"
            ";;;;;;\r\n"
            ";;;;;;\r\n"
        );
        CHECK(text(file) == "4901214213405250000-4901214213405500000");
        REQUIRE(file.blocks.size() == 1);
        CHECK(file.blocks[0].reference == "Brief Müller");
        CHECK(
            file.blocks[0].valid_until ==
            read_block_file("first,last,valid_until\n1,2,2027-12-31\n").blocks[0].valid_until
        );
    }

    TEST_CASE("headers are English or German, in any case")
    {
        CHECK(read("VON;BIS\n1;2\n") == "1-2");
        CHECK(read("erste,LETZTE,anzahl\n1,2,2\n") == "1-2");
        CHECK(read("First Number\tLast Number\n1\t2\n") == "1-2");
        CHECK(read("Von;Bis;GÜLTIG BIS;Referenz\n1;2;1.2.2030;x\n") == "1-2");
        CHECK(read("Von;First\n1;2\n") == "f.csv:1: column 2: column first stands there twice");
        CHECK(read("Von;;Bis\n1;;2\n") == "1-2");
    }

    TEST_CASE("a row may be longer than the header only by nothing")
    {
        CHECK(read("first;last\n1;2;;;\n") == "1-2");
        CHECK(read("first;last;;\n1;2;;x\n") == "f.csv:2: 4 fields, but the header names 2");
    }

    TEST_CASE("counts are grouped by points, commas, apostrophes or blanks")
    {
        for (auto const* count :
             {"1.000",
              "1'000",
              "1 000",
              "1000",
              "\"1,000\"",
              "1\xc2\xa0"
              "000"})
        {
            CAPTURE(count);
            CHECK(read("first;last;count\n1;1000;" + std::string{count} + "\n") == "1-1000");
        }
        CHECK(says(read("first;last;count\n1;1000;10.00\n"), "f.csv:2: column 3: count: '10.00'"));
        CHECK(says(read("first;last;count\n1;1000;1.000,0\n"), "f.csv:2: column 3: count: "));
    }

    TEST_CASE("numbers may have blanks, and what keeps them text in Excel")
    {
        CHECK(
            read("first;last\n1\xc2\xa0"
                 "000;\"=\"\"2000\"\"\"\n") == "1000-2000"
        );
        CHECK(
            read("first;last\n'1000;2\xe2\x80\xaf"
                 "000\n") == "1000-2000"
        );
        CHECK(says(read("first;last\n1.000;2000\n"), "f.csv:2: column 1: first: '1.000'"));
        CHECK(says(read("first;last\n1;2000.0\n"), "f.csv:2: column 2: last: '2000.0'"));
        CHECK(read("first;last\n1.000.000;2-000-000\n") == "1000000-2000000");
    }

    TEST_CASE("a day may be written the German way, if there is such a day")
    {
        CHECK(read("first,last,valid_until\n1,2,1.2.2027\n") == "1-2");
        CHECK(says(
            read("first,last,valid_until\n1,2,31.02.2027\n"), "f.csv:2: column 3: valid_until: "
        ));
    }

    TEST_CASE("a number with an exponent is refused with the way out")
    {
        auto const fault = read("first;last\n4,9E+18;4901214213405500000\n");
        CHECK(says(fault, "f.csv:2: column 1: first: '4,9E+18'"));
        CHECK(says(fault, "format the column as text"));
        auto const sscc = bound_format::bind(
                              *find_format("gs1-sscc"), {{"ext", "3"}, {"gcp", "4012345"}}
        ).value();
        CHECK(says(
            text(read_block_file("first;last\n1;3.40E+17\n", &sscc)), "column 2: last: '3.40E+17'"
        ));
    }

    TEST_CASE("a number that Excel rounded is told by the count, the other end or itself")
    {
        CHECK(
            says(read("first;last;count\n4901214213405250000;4901214213405251000;1000\n"), rounded)
        );
        CHECK(says(read("first;last\n4901214213405250001;4901214213405250000\n"), rounded));
        CHECK(says(read("first;last\n4901214213405250000;4901214213405250000\n"), rounded));
    }

    TEST_CASE("round numbers are no fault where nothing speaks against them")
    {
        CHECK(
            read("first;last;count\n4901214213405250000;4901214213405500000;250001\n") ==
            "4901214213405250000-4901214213405500000"
        );
        CHECK(
            read("first;last\n4901214213405250000;4901214213405500000\n") ==
            "4901214213405250000-4901214213405500000"
        );
        CHECK(
            read("first;last;count\n4901214213405250000;4901214213405250000;1\n") ==
            "4901214213405250000-4901214213405250000"
        );
    }

    TEST_CASE("a check digit tells that Excel rounded a number")
    {
        auto const sscc = bound_format::bind(
                              *find_format("gs1-sscc"), {{"ext", "3"}, {"gcp", "4012345"}}
        ).value();
        auto const good =
            read_block_file("first;last\n340123450000000017;340123450000010009\n", &sscc);
        CHECK(text(good) == "1-1000");
        auto const fault =
            text(read_block_file("first;last\n340123450000000017;340123450000010000\n", &sscc));
        CHECK(says(fault, "f.csv:2: column 1: first, last: "));
        CHECK(says(fault, rounded));
        auto const typed =
            text(read_block_file("first;last\n340123450000000017;340123450000010001\n", &sscc));
        CHECK(says(typed, "f.csv:2: column 1: first, last: "));
        CHECK_FALSE(says(typed, rounded));
    }

    TEST_CASE("leading zeros that the format would drop are refused, with the way out")
    {
        auto const plain = bound_format::bind(*find_format(default_format_name), {}).value();
        auto const fault = text(read_block_file("first;last\n100;000200\n", &plain));
        CHECK(says(fault, "f.csv:2: column 2: "));
        CHECK(says(fault, "plain-6"));
        auto const wide = bound_format::bind(*find_format("plain-6"), {}).value();
        CHECK(text(read_block_file("first;last\n000100;000200\n", &wide)) == "100-200");
    }

    TEST_CASE("however a table is written, it is the same table")
    {
        std::mt19937 random{20'261'122};
        auto const any = [&](auto... each) {
            std::string const all[]{each...};
            return all[random() % (sizeof...(each))];
        };
        for (int n = 0; n < 300; ++n)
        {
            auto const separator = any(";", "\t", ",");
            auto const end = any("\n", "\r\n");
            auto const pad = random() % 2 == 0 ? separator + separator : std::string{};
            auto const first = static_cast<std::int64_t>(random() % 1'000'000) + 1'000;
            auto const digits = std::to_string(first);
            auto const blanked = digits.substr(0, 2) + any("", " ", "\xc2\xa0") + digits.substr(2);
            auto const bytes =
                any("", "\xef\xbb\xbf") + (random() % 2 == 0 ? "sep=" + separator + end : "") +
                any("Bis", "last", "LETZTE") + separator + any("Gültig bis", "valid_until") +
                separator + any("von", "First", "Erste") + separator + any("Anzahl", "COUNT") +
                pad + end + std::to_string(first + 999) + separator +
                any("31.12.2027", "2027-12-31") + separator + blanked + separator +
                any("1.000", "1000", "1'000") + pad + end +
                (random() % 2 == 0 ? pad + separator + end : "");
            CAPTURE(bytes);
            auto const file = read_block_file(bytes);
            REQUIRE(text(file) == digits + "-" + std::to_string(first + 999));
            REQUIRE(file.blocks.front().valid_until.value().text == "2027-12-31");
        }
    }
}

}  // namespace gapless::block_habits_test
