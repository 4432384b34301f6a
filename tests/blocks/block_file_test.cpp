#include "blocks/read_blocks.hpp"

#include <doctest/doctest.h>

#include <string>

namespace gapless::block_file_test {

using test::read;
using test::text;

TEST_SUITE("blocks/block_file")
{
    TEST_CASE("a file names its columns in any order")
    {
        CHECK(read("first,last\n100,200\n300,400\n") == "100-200 300-400");
        CHECK(read("last,first\n200,100\n") == "100-200");
        CHECK(read("LAST, First\n200,100\n") == "100-200");
    }

    TEST_CASE("a semicolon separates as well, the header decides")
    {
        CHECK(read("first;last;reference\n100;200;a, b\n") == "100-200");
        CHECK(read("first,last\n100;200\n").find("f.csv:2: 1 fields, but the header names 2") == 0);
    }

    TEST_CASE("a byte order mark, CRLF, blank lines and a missing last line end are taken")
    {
        CHECK(
            read("\xef\xbb\xbf"
                 "first,last\r\n100,200\r\n\r\n300,400") == "100-200 300-400"
        );
        CHECK(read("first,last\r100,200\r") == "100-200");
    }

    TEST_CASE("quoted fields may hold separators, quotes and line ends")
    {
        auto const file =
            read_block_file("first,last,reference\n\"100\",\"200\",\"a \"\"b\"\", c\"\n");
        CHECK(text(file) == "100-200");
        CHECK(file.blocks.front().reference == "a \"b\", c");
        CHECK(
            read("first,last,reference\n1,2,\"a\nb\"\n") ==
            "f.csv:2: column 3: reference: 'a\\x0ab' has control characters"
        );
    }

    TEST_CASE("a line is counted by its first character, also after a field over several lines")
    {
        CHECK(read("first,\"last\"\n1,\"\n2\"\n3,x\n").find("f.csv:2: column 2: last: ") == 0);
        auto const file = read_block_file("first,last\n1,\"\n\n\n2\"\n3,x\n");
        REQUIRE(file.faults.size() == 2);
        CHECK(file.faults[1].line == 6);
    }

    TEST_CASE("reference and validity are kept")
    {
        auto const file = read_block_file(
            "first,last,count,reference,valid_until\n100,200,101,letter 5,2027-12-31\n1,2,,,\n"
        );
        CHECK(text(file) == "100-200 1-2");
        CHECK(file.blocks[0].reference == "letter 5");
        CHECK(file.blocks[0].valid_until.has_value());
        CHECK(file.blocks[1].reference == std::nullopt);
        CHECK(file.blocks[1].valid_until == std::nullopt);
        CHECK(file.numbers == 103);
    }

    TEST_CASE("a value that cannot be read is named with line and column")
    {
        CHECK(
            read("first,last\n100,200\n300,4f9\n") ==
            "f.csv:3: column 2: last: '4f9' is not a whole number: only the digits 0 to 9 are "
            "allowed"
        );
        CHECK(read("first,last\n-1,200\n").find("f.csv:2: column 1: first: '-1'") == 0);
        CHECK(read("first,last\n,200\n") == "f.csv:2: column 1: first: a number is missing");
        CHECK(
            read("first,last\n1,9223372036854775807\n")
                .find("allowed are 0 to 9223372036854775806") != std::string::npos
        );
        CHECK(
            read("first,last,valid_until\n1,2,tomorrow\n")
                .find("f.csv:2: column 3: valid_until: 'tomorrow'") == 0
        );
    }

    TEST_CASE("leading zeros are no fault")
    {
        CHECK(read("first,last\n000100,000200\n") == "100-200");
    }

    TEST_CASE("the largest serial is taken, one more is not")
    {
        CHECK(read("first,last\n0,9223372036854775806\n") == "0-9223372036854775806");
        CHECK(read("first,last\n0,9223372036854775807\n").find("f.csv:2: column 2: ") == 0);
    }

    TEST_CASE("a stated count has to agree, both ends included")
    {
        CHECK(
            read("first,last,count\n4901214213405250000,4901214213405500000,250001\n") ==
            "4901214213405250000-4901214213405500000"
        );
        CHECK(
            read("first,last,count\n4901214213405250000,4901214213405500000,250000\n") ==
            "f.csv:2: column 3: count: 4901214213405250000…4901214213405500000 holds 250001 "
            "numbers, both ends included, not 250000; '4901214213405250000': Excel may have "
            "rounded it (15 digits, then zeros): format the column as text, enter the numbers "
            "again and export it anew"
        );
    }

    TEST_CASE("a block runs upwards, one number is enough")
    {
        CHECK(read("first,last\n5,5\n") == "5-5");
        CHECK(read("first,last\n5,4\n") == "f.csv:2: column 2: last: 4 lies before first, 5");
    }

    TEST_CASE("blocks of one file must not overlap, neighbours may touch")
    {
        CHECK(read("first,last\n100,199\n200,299\n") == "100-199 200-299");
        CHECK(
            read("first,last\n200,300\n100,200\n") ==
            "f.csv:3: column 1: first: 100…200 overlaps 200…300 of line 2"
        );
        CHECK(
            read("first,last\n1,1000\n5,6\n2000,2001\n10,11\n") ==
            "f.csv:3: column 1: first: 5…6 overlaps 1…1000 of line 2"
        );
        CHECK(read_block_file("first,last\n1,1000\n5,6\n2000,2001\n10,11\n").faults.size() == 2);
    }

    TEST_CASE("the header is checked: double and missing columns")
    {
        CHECK(
            read("first,last,first\n1,2,3\n") ==
            "f.csv:1: column 3: column first stands there twice"
        );
        CHECK(
            read("first,reference\n1,2\n") ==
            "f.csv:1: the header has no column last; it has 'first', 'reference'"
        );
        CHECK(
            read("first,carrier\n1,2\n") ==
            "f.csv:1: the header has no column last; it has 'first', 'carrier'"
        );
    }

    TEST_CASE("an empty file and a header alone are faults")
    {
        CHECK(read("").find("f.csv:1: the file is empty") == 0);
        CHECK(read("first,last\n") == "f.csv: there is no block below the header");
    }

    TEST_CASE("a row has as many fields as the header")
    {
        CHECK(read("first,last\n1,2,3\n") == "f.csv:2: 3 fields, but the header names 2");
        CHECK(read("first,last\n1\n") == "f.csv:2: 1 fields, but the header names 2");
    }

    TEST_CASE("what is no text is said so, with the line")
    {
        CHECK(
            read("first,last,reference\n1,2,x\n3,4,M\x81ller\n")
                .find("f.csv:3: this is neither UTF-8 nor Windows-1252") == 0
        );
        CHECK(
            read("\xff\xfe"
                 "f")
                .find("f.csv: this is broken UTF-16") == 0
        );
        CHECK(
            read(std::string_view{"first,last\n1,2\0\n", 16}).find("f.csv:2: this is no text") == 0
        );
    }

    TEST_CASE("a quote that is not closed is a fault with its line")
    {
        CHECK(read("first,last\n1,2\n3,\"4\n").find("f.csv:3: a quote is not closed") == 0);
    }

    TEST_CASE("faults are gathered, up to a limit")
    {
        std::string bytes{"first,last\n"};
        for (int n = 0; n < 100; ++n)
            bytes += "x,1\n";
        CHECK(read_block_file(bytes).faults.size() == block_file_faults_max);

        bytes = "first,last,count,reference,valid_until\n";
        for (int n = 0; n < 100; ++n)
            bytes += "11x,y,z,\t,never\n";
        CHECK(read_block_file(bytes).faults.size() == block_file_faults_max);
    }

    TEST_CASE("a file with the most blocks is taken, one more is refused with the limit")
    {
        std::string bytes{"first,last\n"};
        for (std::size_t n = 0; n < block_file_rows_max; ++n)
            bytes += std::to_string(n * 10) + ',' + std::to_string(n * 10 + 9) + '\n';
        CHECK(read_block_file(bytes).blocks.size() == block_file_rows_max);
        bytes += "9000000,9000001\n";
        CHECK(read(bytes) == "f.csv:100002: a file may hold 100000 blocks; split it here");
    }
}

}  // namespace gapless::block_file_test
