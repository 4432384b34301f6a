#include "reserve/managed.hpp"

namespace lease_manager_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("reserve/lease_manager_database")
{
    TEST_CASE_FIXTURE(managed, "who was told of a fence draws nothing when the database goes away")
    {
        keep_in_reserve("s", 20);
        refuses = true;
        end_connections();
        run_until([&] { return queue.fenced(); });
        CHECK_FALSE(manager.serves(series));
        cut();
        CHECK_FALSE(manager.serves(series));
        CHECK(outcome(ask(series, 1)) == "database-unavailable");

        refuses = false;
        connect();
        run_until([&] { return queue.whole(); });
        cut();
        CHECK(manager.serves(series));
        CHECK(outcome(ask(series, 1)) == "drawn");
    }
}

}  // namespace lease_manager_test
