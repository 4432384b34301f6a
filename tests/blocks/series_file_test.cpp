#include "base/table_text.hpp"
#include "blocks/series_file.hpp"

#include <doctest/doctest.h>

namespace series_file_test {

using namespace gapless;

/// The faults of a file, or its series: "name carrier first-last".
std::string read(std::string_view text)
{
    auto const file = blocks::read_series_file(text);
    std::string told;
    for (auto const& fault : file.faults)
        told += to_text(fault, "f") + '\n';
    for (auto const& each : file.series)
        told += each.row.name + ' ' + each.row.carrier + ' ' +
                (each.row.first ? each.row.first->text + '-' + each.row.last->text : "") + '\n';
    return told;
}

TEST_SUITE("blocks/series_file")
{
    TEST_CASE("a row is a series with its settings, and a block if it has one")
    {
        auto const file = blocks::read_series_file(
            "\xef\xbb\xbfname;carrier;format;params.gcp;params.ext;low_water;reuse_after;on_"
            "release;"
            "first;last;count;reference;valid_until\n"
            "a;dhl;gs1-sscc;4012345;3;500;12 months;void;100;199;100;letter;2027-12-31\n"
            "\n"
            "b;dpd;;;;none\n"
        );
        REQUIRE(file.faults.empty());
        REQUIRE(file.series.size() == 2);
        CHECK(file.blocks == 1);
        auto const& a = file.series[0].row;
        CHECK(file.series[0].line == 2);
        CHECK(file.series[0].column == 9);
        CHECK(a.params.at("gcp") == "4012345");
        CHECK(a.params.at("ext") == "3");
        CHECK(a.low_water.value->value == 500);
        CHECK(*a.reuse_after.value == "12 months");
        CHECK(*a.on_release == "void");
        CHECK(a.first->text == "100");
        CHECK(a.count->digits == "100");
        CHECK(a.valid_until);
        auto const& b = file.series[1].row;
        CHECK(file.series[1].line == 4);
        CHECK_FALSE(b.format);
        CHECK_FALSE(b.low_water.value);
        CHECK_FALSE(b.first);
    }

    TEST_CASE("the column of the names may be called series")
    {
        CHECK(read("Series,carrier,first,last\na,dhl,1,2\n") == "a dhl 1-2\n");
    }

    TEST_CASE("one number that Excel may have rounded is no block, unless the count says so")
    {
        std::string const number{"4901214213405000000"};
        auto const row = [&](std::string const& count) {
            return read(
                "name,carrier,first,last,count\na,c," + number + "," + number + "," + count
            );
        };
        CHECK(row("").starts_with(
            "f:2: column 4: last: first and last are the same number; '" + number +
            "': Excel may have rounded it"
        ));
        CHECK(row("1") == "a c " + number + "-" + number + "\n");
        CHECK(read("name,carrier,first,last\na,c,100,100\n") == "a c 100-100\n");
    }

    TEST_CASE("names, numbers and days are taken as in a file of blocks")
    {
        for (char const tab : {';', '\t'})
        {
            CAPTURE(tab);
            std::string text{
                "NAME;Carrier;Low-Water;Params.SVC;Sendungsnummer von;Letzte;Anzahl;G\xc3\xbcltig "
                "bis;REFERENZ;;\n"
                "a;dhl;1.000;RB;4901 2142 1340 5250 000;=\"4901214213405250999\";1.000;"
                "31.12.2027;Brief;;\n"
                "b;dpd;;;;;;;;;\n"};
            std::ranges::replace(text, ';', tab);
            auto const file = blocks::read_series_file(text);
            CHECK(read(text) == "a dhl 4901214213405250000-4901214213405250999\nb dpd \n");
            REQUIRE(file.series.size() == 2);
            auto const& a = file.series[0].row;
            CHECK(a.low_water.value->value == 1'000);
            CHECK(a.params.at("svc") == "RB");
            CHECK(a.count->digits == "1000");
            CHECK(a.valid_until->text == "2027-12-31");
            CHECK(*a.reference == "Brief");
            CHECK_FALSE(file.series[1].row.first);
        }
        // A number of a format with letters may look like an exponent.
        CHECK(read("name,carrier,format,first,last\na,c,upu,4E18,4E19\n") == "a c 4E18-4E19\n");
    }

    TEST_CASE("a fault names line, column and value")
    {
        struct row
        {
            char const* text;
            char const* told;
        };
        for (auto const& each : {
                 row{"", "f: there is no series below the row that names the columns\n"},
                 row{"name,carrier\n",
                     "f: there is no series below the row that names the columns\n"},
                 row{"name,carrier,colour\na,c,red\n",
                     "f:1: column 3: there is no column 'colour'; there are name, carrier, space, "
                     "format, low_water, reuse_after, reserve_numbers, params.KEY, on_release, "
                     "on_expiry, first, last, count, reference, valid_until\n"},
                 row{"name,name,carrier\na,b,c\n",
                     "f:1: column 2: column 'name' is there twice, also as column 1\n"},
                 row{"name,carrier,first,last,Von,params.a,PARAMS.A\n",
                     "f:1: column 5: column 'Von' is there twice, also as column 3\n"
                     "f:1: column 7: column 'PARAMS.A' is there twice, also as column 6\n"},
                 row{"name,carrier,params,params.\n",
                     "f:1: column 3: there is no column 'params'; there are name, carrier, space, "
                     "format, low_water, reuse_after, reserve_numbers, params.KEY, on_release, "
                     "on_expiry, first, last, count, reference, valid_until\n"
                     "f:1: column 4: there is no column 'params.'; "},
                 row{"name;carrier;format;first;last\na;c;;4,9E+18;4,9E+18\n",
                     "f:2: column 4: first: '4,9E+18' is no number of a carrier: a spreadsheet "
                     "rounded this number: format the column as text, enter the numbers again and "
                     "export it anew\nf:2: column 5: last: "},
                 row{"name,carrier,first,last\na,c,4E18,5E18\n",
                     "f:2: column 3: first: '4E18' is "},
                 row{"name,carrier,first,last,valid_until\na,c,1,9,01/02/27\n",
                     "f:2: column 5: valid_until: '01/02/27' may be 2027-02-01 or 2027-01-02; "
                     "write "
                     "the one that is meant\n"},
                 row{"name,carrier\na\n", "f:2: column 2: carrier is missing\n"},
                 row{"name,carrier\nA B,c\n",
                     "f:2: column 1: name has to be 1 to 63 characters of a-z, 0-9, '.', '_' and "
                     "'-', a letter or digit first; it is 'A B'\n"},
                 row{"name,carrier,low_water\na,c,few\nb,c,-1\n",
                     "f:2: column 3: low_water has to be an integer; it is 'few'\n"
                     "f:3: column 3: low_water has to be 0 to 9223372036854775807; it is '-1'\n"},
                 row{"name,carrier,first,last\na,c,1,\n",
                     "f:2: column 3: a block has both, first and last\n"},
                 row{"name,carrier\na,c\na,d\n", "f:3: column 1: name: a is in line 2 already\n"},
                 row{"name,carrier\na,c,d\n", "f:2: column 3: 'd' stands behind the last column\n"},
                 row{"name,carrier\n\"a,c\n", "f:2: a quote is not closed before the end o"},
             })
        {
            CAPTURE(each.text);
            auto const told = read(each.text);
            CHECK(told.substr(0, std::string{each.told}.size()) == each.told);
        }
    }

    TEST_CASE("so many faults of a file are told, and no more")
    {
        std::string text{"name,carrier\n"};
        for (int n = 0; n < 50; ++n)
            text += "A,c\n";
        CHECK(blocks::read_series_file(text).faults.size() == blocks::series_file_faults_max);
    }
}

}  // namespace series_file_test
