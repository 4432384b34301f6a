#include "postgres/health_check.hpp"

#include <doctest/doctest.h>

namespace health_check_test {

using namespace gapless;

health_check check(std::string name, health_severity severity, bool fine = false)
{
    return {std::move(name), severity, fine, "off", "set it to on"};
}

TEST_SUITE("postgres/health_check")
{
    TEST_CASE("a risk keeps numbers from leaving until it is accepted, a stop always does")
    {
        auto const fine = check("fine", health_severity::stop, true);
        auto const warning = check("warns", health_severity::warning);
        auto const risk = check("fsync", health_severity::risk);
        auto const stop = check("swallowed", health_severity::stop);
        CHECK(obstacle_in({fine, warning}, false).empty());
        CHECK(
            obstacle_in({fine, warning, risk}, false) ==
            "fsync is off: set it to on (or accept the risk: --accept-risk)"
        );
        CHECK(obstacle_in({fine, warning, risk}, true).empty());
        CHECK(obstacle_in({fine, risk, stop}, true) == "swallowed is off: set it to on");
    }

    TEST_CASE("what is not fine is told, in its order")
    {
        auto const found = not_fine(
            {check("a", health_severity::info),
             check("b", health_severity::risk, true),
             check("c", health_severity::warning)}
        );
        REQUIRE(found.size() == 2);
        CHECK(found[0].name == "a");
        CHECK(found[1].name == "c");
    }
}

}  // namespace health_check_test
