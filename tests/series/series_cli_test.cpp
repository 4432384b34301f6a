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
            R"("issued":"0","remaining":"0","next":null,"blocks":"0",)"
            R"("reuse_after":null,"reserve_numbers":null,"on_lease":"0","reserve_minutes":null,)"
            R"("states":{"free":"0","held":"0","issued":"0","printed":"0",)"
            R"("voided":"0","manifested":"0","returned":"0"},"forecast":{"per_day":null,)"
            R"("days_left":null,"exhausted_on":null,"days_left_p10":null,"days_left_p90":null,)"
            R"("exhausted_from":null,"exhausted_to":null,"order_by":null,"lead_days":null}})"
        );
    }

    TEST_CASE("a list is an array, a table has one line each")
    {
        cli const gapless;
        CHECK(gapless.json({"series", "list"}).dump() == "[]");
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
        CHECK(gapless.json({"series", "pause", "dhl"})["paused"] == true);
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
        CHECK(gapless.code({"series", "create", "x", "--carrier", "c", "-n"}) == 0);
        CHECK(gapless.code({"series", "show", "x"}) == 3);
    }
}

}  // namespace gapless::test::cli_series_test
