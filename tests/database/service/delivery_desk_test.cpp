#include "base/contract.hpp"
#include "service/delivery_desk.hpp"

#include <doctest/doctest.h>

namespace delivery_desk_test {

using namespace gapless;

constexpr webhook_lane first{1, 1};
constexpr webhook_lane second{1, 2};
constexpr webhook_lane other{2, 1};

delivery_report report(webhook_lane const& lane, std::string error = {})
{
    return {lane, "n", std::move(error)};
}

TEST_SUITE("service/delivery_desk")
{
    TEST_CASE("a lane has one delivery under way")
    {
        delivery_desk desk{8, 4};
        CHECK(desk.begin(first));
        CHECK_FALSE(desk.begin(first));
        CHECK(desk.begin(second));
        CHECK(desk.begin(other));
        CHECK(desk.busy() == std::vector<webhook_lane>{first, second, other});
    }

    TEST_CASE("a lane that has ended is not begun again before that was noted")
    {
        delivery_desk desk{8, 4};
        desk.begin(first);
        desk.end(report(first));
        CHECK(desk.busy().empty());
        CHECK(desk.ended().size() == 1);
        CHECK_FALSE(desk.begin(first));
        desk.noted(1);
        CHECK(desk.ended().empty());
        CHECK(desk.begin(first));
    }

    TEST_CASE("what ends while others are noted is noted the next time")
    {
        delivery_desk desk{8, 4};
        for (auto const& lane : {first, second, other})
            desk.begin(lane);
        desk.end(report(second, "late"));
        auto const asked = desk.ended().size();
        desk.end(report(first));
        desk.noted(asked);
        REQUIRE(desk.ended().size() == 1);
        CHECK(desk.ended()[0].lane == first);
        CHECK(desk.busy() == std::vector<webhook_lane>{other});
        CHECK_FALSE(desk.begin(first));
        CHECK(desk.begin(second));
    }

    TEST_CASE("reports of what was never begun are dropped")
    {
        delivery_desk desk{8, 4};
        desk.end(report(first));
        CHECK(desk.ended().empty());
        desk.begin(first);
        desk.end(report(first));
        desk.end(report(first));
        CHECK(desk.ended().size() == 1);
        CHECK_THROWS_AS(desk.noted(2), contract_violation);
    }

    TEST_CASE("room is what is not under way")
    {
        delivery_desk desk{2, 1};
        CHECK(desk.room().due_max == 2);
        CHECK(desk.room().per_webhook_max == 1);
        desk.begin(first);
        CHECK(desk.room().due_max == 1);
        desk.begin(other);
        CHECK(desk.room().due_max == 0);
        desk.end(report(other));
        CHECK(desk.room().due_max == 1);
    }
}

}  // namespace delivery_desk_test
