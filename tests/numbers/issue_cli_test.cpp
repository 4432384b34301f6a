#include "harness/cli_program.hpp"
#include "harness/unread.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_issue_test {

TEST_SUITE("numbers/issue_cli")
{
    TEST_CASE("numbers come one a line, as CSV with their ordinals, as JSON with their issuance")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.run({"issue", "dhl", "--count", "2", "-n"}).out == "100\n101\n");
        CHECK(gapless.run({"issue", "dhl", "--count", "3"}).out == "100\n101\n102\n");
        CHECK(
            gapless.run({"issue", "dhl", "--count", "2", "-o", "csv"}).out ==
            "number,ordinal\n103,4\n104,5\n"
        );
        std::vector<std::string> words{
            "issue", "dhl", "--count", "96", "--reference", "order 7", "--key", "a", "-o", "json"};
        auto const first = gapless.run(words).out;
        auto const issued = json_value::parse(first);
        CHECK(issued["state"] == "issued");
        CHECK(issued["reference"] == "order 7");
        CHECK(issued["ranges"].size() == 2);
        CHECK(issued["ranges"][1]["first"] == "500");
        CHECK(issued["ranges"][1]["ordinal"] == "101");
        CHECK(issued["numbers"].size() == 96);
        CHECK(gapless.run(words).out == first);
        words[3] = "97";
        CHECK(gapless.code(words) == 5);
    }

    TEST_CASE("more than there is takes nothing and names what is missing and the way out")
    {
        cli gapless;
        gapless.stock();
        auto const end = gapless.run({"issue", "dhl", "--count", "201"});
        CHECK(end.code == 5);
        CHECK(end.out.empty());
        CHECK(contains(end.err, "'dhl' has 200 numbers remaining, 201 requested"));
        CHECK(contains(end.err, "gapless block load dhl FIRST LAST"));
    }

    TEST_CASE("numbers that could not be printed can be seen again with the key in the message")
    {
        cli gapless;
        gapless.stock();
        process_start start;
        start.words = {
            GAPLESS_BIN_DIR "/gapless", "issue", "dhl", "--count", "2", "--reference", "it's 1"};
        start.environment["GAPLESS_DATABASE_URL"] = gapless.database().url();
        start.output_file = "/dev/full";
        auto const end = run_program(start);
        CHECK(end.code == 1);
        CHECK(contains(end.err, "No space left on device"));
        auto const repeat = end.err.find("gapless issue dhl");
        REQUIRE(repeat != std::string::npos);
        start.words = {"/bin/bash", "-c", GAPLESS_BIN_DIR "/" + end.err.substr(repeat)};
        start.output_file.clear();
        CHECK(run_program(start).out == "100\n101\n");
    }

    TEST_CASE("numbers whose reader has gone can be seen again, too")
    {
        cli gapless;
        gapless.stock();
        for (std::string const format : {"table", "json", "csv"})
        {
            auto const end = run_unread(gapless.database(), {"issue", "dhl", "-o", format});
            CHECK(end.code == 1);
            CHECK(contains(end.err, "its reader has gone\n  the numbers were issued; to see them"));
        }
        auto const dry_run = run_unread(gapless.database(), {"issue", "dhl", "-n"});
        CHECK(dry_run.code == 1);
        CHECK_FALSE(contains(dry_run.err, "issued"));
    }

    TEST_CASE("a key is what was written, not what HTTP would read into it")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.run({"issue", "dhl", "--key", "a,a"}).out == "100\n");
        CHECK(gapless.run({"issue", "dhl", "--key", "a,a"}).out == "100\n");
        CHECK(gapless.run({"issue", "dhl", "--key", "\"a"}).out == "101\n");
        auto const end = gapless.run({"issue", "dhl", "--key", "m\u00fc"});
        CHECK(end.code == 2);
        CHECK(contains(end.err, "an idempotency key has 1 to 255 printable ASCII characters"));
    }
}

}  // namespace gapless::test::cli_issue_test
