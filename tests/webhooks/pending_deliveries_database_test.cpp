#include "base/contract.hpp"
#include "webhooks/pending_deliveries.hpp"

#include <doctest/doctest.h>

namespace pending_deliveries_test {

using namespace gapless;

delivery_report report(std::int32_t webhook_id)
{
    return {.webhook_id = webhook_id, .notice_id = "n", .error = {}};
}

TEST_SUITE("webhooks/pending_deliveries_database")
{
    TEST_CASE("a webhook has one delivery under way")
    {
        pending_deliveries desk{8};
        CHECK(desk.begin(1));
        CHECK_FALSE(desk.begin(1));
        CHECK(desk.begin(2));
        CHECK(desk.busy() == std::vector<std::int32_t>{1, 2});
    }

    TEST_CASE("what has ended is not begun again before that was noted")
    {
        pending_deliveries desk{8};
        desk.begin(1);
        desk.end(report(1));
        CHECK(desk.busy() == std::vector<std::int32_t>{1});
        CHECK(desk.ended().size() == 1);
        CHECK_FALSE(desk.begin(1));
        desk.noted({1});
        CHECK(desk.busy().empty());
        CHECK(desk.ended().empty());
        CHECK(desk.begin(1));
    }

    TEST_CASE("what ends while others are noted is noted the next time")
    {
        pending_deliveries desk{8};
        for (std::int32_t const id : {1, 2, 3})
            desk.begin(id);
        desk.end(report(2));
        desk.end(report(1));
        desk.noted({2});
        REQUIRE(desk.ended().size() == 1);
        CHECK(desk.ended()[0].webhook_id == 1);
        CHECK(desk.busy() == std::vector<std::int32_t>{3, 1});
        CHECK_FALSE(desk.begin(1));
        CHECK(desk.begin(2));
    }

    TEST_CASE("one that cannot be noted keeps no other from being noted")
    {
        pending_deliveries desk{8};
        for (std::int32_t const id : {1, 2, 3})
        {
            desk.begin(id);
            desk.end(report(id));
        }
        desk.noted({3, 1});
        REQUIRE(desk.ended().size() == 1);
        CHECK(desk.ended()[0].webhook_id == 2);
        CHECK(desk.busy() == std::vector<std::int32_t>{2});
    }

    TEST_CASE("reports of what was never begun are dropped")
    {
        pending_deliveries desk{8};
        desk.end(report(1));
        CHECK(desk.ended().empty());
        desk.begin(1);
        desk.end(report(1));
        desk.end(report(1));
        CHECK(desk.ended().size() == 1);
        CHECK_THROWS_AS(desk.noted({1, 2}), contract_violation);
    }

    TEST_CASE("room is what is not under way")
    {
        pending_deliveries desk{2};
        CHECK(desk.room() == 2);
        desk.begin(1);
        CHECK(desk.room() == 1);
        desk.begin(2);
        CHECK(desk.room() == 0);
        desk.end(report(2));
        CHECK(desk.room() == 1);
    }
}

}  // namespace pending_deliveries_test
