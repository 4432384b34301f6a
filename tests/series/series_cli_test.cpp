#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_series_test {

TEST_SUITE("series/series_cli")
{
    TEST_CASE("everything about a series can be said when it is created, and changed one by one")
    {
        cli const gapless;
        auto const create = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"series", "create", "a"});
            return gapless.code(words);
        };
        CHECK(create({"--carrier", "c", "--param", "ext"}) == 2);
        CHECK(create({"--carrier", "c", "--param", "ext=3", "--param", "ext=4"}) == 2);
        CHECK(create({"--carrier", "c", "--low-water", "-1"}) == 2);
        auto const series = gapless.json(
            {"series", "create",        "a",          "--carrier",   "c",        "--space",
             "s",      "--on-release",  "void",       "--on-expiry", "reissue",  "--low-water",
             "500",    "--reuse-after", "12 months",  "--format",    "gs1-sscc", "--param",
             "ext=3",  "--param",       "gcp=4012345"}
        );
        CHECK(series["params"]["gcp"] == "4012345");
        CHECK(series["reuse_after"] == "1 year");
        CHECK(series["space"] == "s");
        CHECK(series["on_release"] == "void");
        CHECK(series["on_expiry"] == "reissue");
        CHECK(series["low_water"] == "500");
        auto const set = gapless.json({"series", "set", "a", "--reserve", "700"});
        CHECK(set["reserve_numbers"] == "700");
        CHECK(set["low_water"] == "500");
        auto const none =
            gapless.json({"series", "set", "a", "--low-water", "none", "--reserve", "off"});
        CHECK(none["low_water"] == nullptr);
        CHECK(none["reserve_numbers"] == nullptr);
        auto const nothing = gapless.run({"series", "set", "a"});
        CHECK(nothing.code == 2);
        CHECK(contains(nothing.err, "nothing to set: give --low-water or --reuse-after or "));
        CHECK_FALSE(contains(nothing.err, "--paused"));
    }

    TEST_CASE("a list is an array, a table has one line each")
    {
        cli gapless;
        auto const none = gapless.run({"series", "list", "-o", "json"});
        CHECK(none.out == "[]\n");
        CHECK(contains(none.err, "gapless series create NAME --carrier CARRIER"));
        gapless.database().create_series("b", {}, "c");
        gapless.database().create_series("a", {}, "c");
        CHECK(
            gapless.run({"series", "list"}).out ==
            "NAME  CARRIER  FORMAT  PAUSED  ISSUED  REMAINING  NEXT  BLOCKS  DAYS LEFT  ORDER BY\n"
            "a     c        plain   no           0          0     -       0          -  -\n"
            "b     c        plain   no           0          0     -       0          -  -\n"
        );
        CHECK(gapless.json({"series", "list", "--search", "B"}).size() == 1);
        CHECK(gapless.run({"series", "list", "-o", "csv"})
                  .out.starts_with("name,carrier,space,format,params,"));
    }

    TEST_CASE("a paused series issues nothing until it is resumed, a rehearsal changes nothing")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.code({"series", "pause", "dhl", "--reason", " "}) == 2);
        auto const rehearsed = gapless.run({"series", "pause", "dhl", "-n"});
        CHECK(rehearsed.code == 0);
        CHECK(contains(rehearsed.err, "dry run: nothing was changed\n"));
        CHECK(gapless.run({"issue", "dhl"}).out == "100\n");
        auto const paused = gapless.json({"series", "pause", "dhl", "--reason", "wrong paper"});
        CHECK(paused["paused_reason"] == "wrong paper");
        auto const end = gapless.run({"issue", "dhl"});
        CHECK(end.code == 5);
        CHECK(contains(end.err, "gapless series resume dhl"));
        CHECK(gapless.json({"series", "resume", "dhl"})["paused"] == false);
        CHECK(gapless.run({"issue", "dhl"}).out == "101\n");
    }
}

}  // namespace gapless::test::cli_series_test
