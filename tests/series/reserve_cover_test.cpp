#include "series/reserve_cover.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace std::chrono_literals;

TEST_SUITE("series/reserve_cover")
{
    TEST_CASE("a day's numbers are asked for within eight hours")
    {
        CHECK(reserve_lasts(1'000, 1'000) == 8h);
        CHECK(reserve_lasts(500, 5'000) == 48min);
        CHECK(reserve_lasts(1, 28'800) == 1s);
        CHECK(reserve_lasts(1, 28'801) == 0s);
        CHECK(reserve_lasts(0, 1'000) == 0s);
    }

    TEST_CASE("how long a reserve lasts is not known where nothing is used")
    {
        CHECK_FALSE(reserve_lasts(500, 0));
        CHECK(reserve_lasts(1'000'000, 0.001) == std::chrono::days{365});
    }
}
