#include "base/failpoint.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace gapless;

TEST_SUITE("base/failpoint")
{
    TEST_CASE("a failpoint fails at the passage it was told, once, and where it is built in")
    {
        ::setenv("GAPLESS_FAILPOINT", "P3:drop@2,P4:delay=1", 1);
        ::setenv("GAPLESS_SEEDED_BUG", "answers-swapped", 1);
        constexpr bool built_in = GAPLESS_FAILPOINTS != 0;
        CHECK_FALSE(pass_failpoint("P3"));
        CHECK(pass_failpoint("P3") == built_in);
        CHECK_FALSE(pass_failpoint("P3"));
        CHECK_FALSE(pass_failpoint("P4"));
        CHECK_FALSE(pass_failpoint("P5"));
        CHECK(seeded_bug("answers-swapped") == built_in);
        CHECK_FALSE(seeded_bug("answer-off-by-one"));
    }
}
