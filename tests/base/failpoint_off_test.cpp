// Compiled as releases are: without failpoints. That it compiles is the proof.
#include "base/failpoint.hpp"

#include <doctest/doctest.h>

TEST_SUITE("base/failpoint")
{
    TEST_CASE("a release has neither failpoints nor seeded bugs")
    {
        static_assert(!gapless::failpoint_due("P3"));
        static_assert(!gapless::run_failpoint("P3"));
        static_assert(!gapless::pass_failpoint("P3"));
        static_assert(!gapless::seeded_bug("answers-swapped"));
    }
}
