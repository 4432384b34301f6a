#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_series_test {

TEST_SUITE("series/series_cli")
{
    TEST_CASE("a new series has the defaults of the contract")
    {
        cli const gapless;
        auto const series =
            gapless.json_text({"series", "create", "dhl-paket", "--carrier", "dhl"});
        CHECK(
            compact(series) ==
            R"({"name":"dhl-paket","carrier":"dhl","space":"dhl","format":"plain","params":{},)"
            R"("on_release":"reissue","on_expiry":"void","low_water":null,"paused":false,)"
            R"("paused_reason":null,"paused_by":null,"paused_at":null,)"
            R"("issued":"0","remaining":"0","next":null,"blocks":"0",)"
            R"("reuse_after":null,"reserve_numbers":null,"on_lease":"0","reserve_minutes":null,)"
            R"("states":{"free":"0","held":"0","issued":"0","printed":"0",)"
            R"("voided":"0","manifested":"0","returned":"0"},"forecast":{"per_day":null,)"
            R"("days_left":null,"exhausted_on":null,"days_left_p10":null,"days_left_p90":null,)"
            R"("exhausted_from":null,"exhausted_to":null,"order_by":null,"lead_days":null}})"
        );
    }

    TEST_CASE("everything about a series can be said when it is created")
    {
        cli const gapless;
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
    }

    TEST_CASE("what a series cannot be is a mistake of the command line")
    {
        cli gapless;
        gapless.stock();
        auto const create = [&](std::vector<std::string> words) {
            words.insert(words.begin(), {"series", "create"});
            return gapless.code(words);
        };
        CHECK(create({"a"}) == 2);
        CHECK(contains(
            gapless.run({"series", "create", "A B", "--carrier", "c"}).err,
            "NAME has to be 1 to 63 characters of a-z, 0-9"
        ));
        CHECK(create({"a", "--carrier", "c", "--low-water", "-1"}) == 2);
        CHECK(create({"a", "--carrier", "c", "--on-expiry", "never"}) == 2);
        CHECK(create({"a", "--carrier", "c", "--reuse-after", "soon"}) == 2);
        CHECK(create({"a", "--carrier", "c", "--param", "ext"}) == 2);
        CHECK(create({"a", "--carrier", "c", "--param", "ext=3", "--param", "ext=4"}) == 2);
        auto const nothing = gapless.run({"series", "set", "dhl"});
        CHECK(nothing.code == 2);
        CHECK(contains(nothing.err, "nothing to set: give --low-water or --reuse-after or "));
        CHECK_FALSE(contains(nothing.err, "--paused"));
    }

    TEST_CASE("a list is an array, a table has one line each")
    {
        cli const gapless;
        auto const none = gapless.run({"series", "list", "-o", "json"});
        CHECK(none.out == "[]\n");
        CHECK(contains(none.err, "gapless series create NAME --carrier CARRIER"));
        CHECK(gapless.code({"series", "create", "b", "--carrier", "c"}) == 0);
        CHECK(gapless.code({"series", "create", "a", "--carrier", "c"}) == 0);
        auto const all = gapless.json({"series", "list"});
        REQUIRE(all.size() == 2);
        CHECK(all[0]["name"] == "a");
        CHECK(
            gapless.run({"series", "list"}).out ==
            "NAME  CARRIER  FORMAT  PAUSED  ISSUED  REMAINING  NEXT  BLOCKS  DAYS LEFT  ORDER BY\n"
            "a     c        plain   no           0          0     -       0          -  -\n"
            "b     c        plain   no           0          0     -       0          -  -\n"
        );
        CHECK(gapless.json({"series", "list", "--search", "B"}).size() == 1);
        CHECK(gapless.json({"series", "list", "--state", "active", "--carrier", "c"}).size() == 0);
        CHECK(gapless.code({"series", "list", "--state", "full"}) == 2);
        CHECK(gapless.run({"series", "list", "-o", "csv"})
                  .out.starts_with("name,carrier,space,format,params,"));
    }

    TEST_CASE("settings are changed one by one")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.json({"series", "set", "dhl", "--low-water", "50"})["low_water"] == "50");
        auto const series = gapless.json({"series", "set", "dhl", "--on-release", "void"});
        CHECK(series["low_water"] == "50");
        CHECK(series["on_release"] == "void");
        CHECK(
            gapless.json({"series", "set", "dhl", "--low-water", "none"})["low_water"] == nullptr
        );
        auto const reserve = [&](std::string const& numbers) {
            return gapless.json({"series", "set", "dhl", "--reserve", numbers})["reserve_numbers"];
        };
        CHECK(reserve("700") == "700");
        CHECK(reserve("off") == nullptr);
    }

    TEST_CASE("a paused series issues nothing until it is resumed")
    {
        cli gapless;
        gapless.stock();
        auto const pause = [&](std::string const& reason) {
            return gapless.json({"series", "pause", "dhl", "--reason", reason})["paused_reason"];
        };
        CHECK(gapless.code({"series", "pause", "dhl", "--reason", " "}) == 2);
        CHECK(pause("wrong paper") == "wrong paper");
        CHECK(gapless.json({"series", "pause", "dhl"})["paused_reason"] == "wrong paper");
        auto const end = gapless.run({"issue", "dhl"});
        CHECK(end.code == 5);
        CHECK(contains(end.err, "gapless series resume dhl"));
        CHECK(gapless.json({"series", "resume", "dhl"})["paused"] == false);
        CHECK(gapless.run({"issue", "dhl"}).out == "100\n");
    }

    TEST_CASE("a dry run changes no series")
    {
        cli gapless;
        gapless.stock();
        CHECK(gapless.json({"series", "pause", "dhl", "-n"})["paused"] == true);
        CHECK(gapless.json({"series", "show", "dhl"})["paused"] == false);
        auto const rehearsed = gapless.run({"series", "create", "x", "--carrier", "c", "-n"});
        CHECK(rehearsed.code == 0);
        CHECK(rehearsed.err == "dry run: nothing was changed\n");
        CHECK(gapless.code({"series", "show", "x"}) == 3);
    }
}

}  // namespace gapless::test::cli_series_test
