#include "harness/cli_program.hpp"

#include <doctest/doctest.h>

namespace gapless::test::cli_hold_list_test {

TEST_SUITE("holds/hold_list_cli")
{
    TEST_CASE("open holds are listed by expiry, as over HTTP")
    {
        cli gapless;
        gapless.stock();
        gapless.database().create_series("gls", {{700, 799}}, "gls");
        CHECK(gapless.json({"hold", "list"}).empty());
        auto const hold = [&](std::string const& series, std::string const& seconds) {
            return gapless.database().run(
                "set transaction isolation level serializable; select min(ordinal) from "
                "gapless.issue_ranges('" +
                series + "', 2, null, 'order-1', " + seconds + ")"
            );
        };
        CHECK(hold("dhl", "7000") == "1");
        CHECK(hold("gls", "6000") == "1");
        auto const rows = gapless.json({"hold", "list"});
        REQUIRE(rows.size() == 2);
        CHECK(rows[0]["series"] == "gls");
        CHECK(rows[0]["issuance"] == "121");
        CHECK(rows[0]["held"] == 2);
        CHECK(rows[0]["reference"] == "order-1");
        CHECK(rows[1]["series"] == "dhl");
        CHECK(gapless.json({"hold", "list", "--series", "dhl"}).size() == 1);
        CHECK(gapless.code({"hold", "list", "--series", "none"}) == 3);
        auto const csv = gapless.run({"hold", "list", "-o", "csv"}).out;
        CHECK(csv.starts_with("issuance,series,held,reference,expires_at\n121,gls,2,order-1,"));
        CHECK(gapless.code({"hold", "confirm", "121"}) == 0);
        CHECK(gapless.json({"hold", "list"}).size() == 1);
    }
}

}  // namespace gapless::test::cli_hold_list_test
