#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::series_file_cli_test {

struct filed
{
    cli gapless;

    process_end create(std::string const& text, std::vector<std::string> more = {})
    {
        std::vector<std::string> words{"series", "create", "--file", "-"};
        words.insert(words.end(), more.begin(), more.end());
        return gapless.run(words, text);
    }

    std::string count() { return gapless.database().run("select count(*) from gapless.series"); }
};

TEST_SUITE("blocks/series_file_cli")
{
    TEST_CASE_FIXTURE(filed, "a file of series is created with its blocks, after a dry run")
    {
        std::string const text{
            "name,carrier,format,params.gcp,params.ext,low_water,first,last,reference\n"
            "a,dhl,,,,50,4901214213405250000,4901214213405500000,letter\n"
            "b,dpd,gs1-sscc,4012345,3,,,,\n"
            "c,ups,,,,,700000000,700000099,\n"};
        auto const tried = create(text, {"--dry-run", "-o", "json"});
        CHECK(tried.code == 0);
        CHECK(contains(tried.err, "dry run: nothing was changed"));
        CHECK(count() == "0");

        auto const done = create(text, {"-o", "json"});
        CHECK(done.code == 0);
        CHECK(done.out == tried.out);
        auto const told = json_value::parse(done.out);
        CHECK(told["series"] == 3);
        CHECK(told["blocks"] == 2);
        CHECK(gapless.json({"series", "show", "a"})["remaining"] == "250001");
        CHECK(gapless.json({"series", "show", "b"})["params"]["gcp"] == "4012345");
        CHECK(gapless.json({"block", "list", "a"})[0]["reference"] == "letter");
        CHECK(gapless.database().verify() == "gapless");
    }

    TEST_CASE_FIXTURE(filed, "of a file that is refused nothing is created, and the line is named")
    {
        gapless.stock();
        struct row
        {
            char const* rows;
            char const* told;
            int code;
        };
        for (auto const& each : {
                 row{"a,c,plain,1000,1999\ndhl,c,plain,,\n",
                     "(standard input):3: there is a series 'dhl' already",
                     5},
                 row{"a,c,plain,1000,1999\nb,c,odd,,\n", "(standard input):3: ", 2},
                 row{"a,c,plain,1000,1999\nb,c,plain,1500,1600\n",
                     "(standard input):3: column 4: block 1500…1600 overlaps block",
                     5},
                 row{"a,c,plain,1000,x\n", "(standard input):2: column 4: ", 2},
             })
        {
            CAPTURE(each.rows);
            auto const end = create("name,carrier,format,first,last\n" + std::string{each.rows});
            CHECK(end.code == each.code);
            CHECK(contains(end.err, each.told));
            CHECK(contains(end.err, "nothing was created"));
            CHECK(count() == "1");
        }
    }

    TEST_CASE_FIXTURE(filed, "what a person should look at needs a yes")
    {
        std::string const text{
            "name,carrier,first,last,valid_until\n"
            "a,c,1000000000,1000000099,2027-12-31\nb,c,1000000100,1000000199,2027-12-31\n"};
        auto const end = create(text);
        CHECK(end.code == 5);
        CHECK(contains(end.err, ":3: column 3: "));
        CHECK(contains(end.err, "neighbour"));
        CHECK(count() == "0");
        auto const done = create(text, {"--yes"});
        CHECK(done.code == 0);
        CHECK(contains(done.err, "warning: (standard input):3: column 3: neighbour: "));
        CHECK(count() == "2");
    }

    TEST_CASE_FIXTURE(filed, "one series or a file of them, not both")
    {
        CHECK(gapless.code({"series", "create"}) == 2);
        CHECK(contains(gapless.run({"series", "create", "a"}).err, "--carrier is required"));
        auto const both = create("name,carrier\na,c\n", {"--carrier", "c"});
        CHECK(both.code == 2);
        CHECK(contains(both.err, "with --file, --carrier stands in the file"));
    }
}

}  // namespace gapless::test::series_file_cli_test
