#include "harness/blocked.hpp"
#include "harness/cli_program.hpp"

#include <doctest/doctest.h>
#include <pqxx/transaction>

#include <future>

namespace time_zone_cli_test {

using namespace gapless;

TEST_SUITE("stock/time_zone_cli")
{
    TEST_CASE("a new time zone deletes also the days that are gathered at that moment")
    {
        test::cli gapless;
        gapless.stock();
        REQUIRE(gapless.code({"issue", "dhl"}) == 0);
        auto& database = gapless.database();
        database.run("set local session_replication_role = replica; "
                     "update gapless.ledger set issued_at = issued_at - interval '3 days'");
        std::future<int> set;
        pqxx::work gathering{database.connection()};
        REQUIRE(query_value<int>(gathering, "select gapless.consumption_gather()") == 3);
        set = std::async(std::launch::async, [&] {
            return gapless.code({"database", "time-zone", "Pacific/Kiritimati", "--yes"});
        });
        REQUIRE(test::blocks_somebody(gathering));
        gathering.commit();
        CHECK(set.get() == 0);
        CHECK(database.run("select count(*) from gapless.consumption") == "0");
        CHECK(database.run("select gapless.time_zone()") == "Pacific/Kiritimati");
    }
}

}  // namespace time_zone_cli_test
