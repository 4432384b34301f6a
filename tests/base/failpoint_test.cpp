#include "base/contract.hpp"
#include "base/failpoint.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace gapless;

TEST_SUITE("base/failpoint")
{
    TEST_CASE("a failpoint fails once, at the passage it was told")
    {
        ::setenv("GAPLESS_FAILPOINT", "batch_sent:drop@2,commit_sent:delay=1,reply_sent:break", 1);
        CHECK_FALSE(pass_failpoint("batch_sent"));
        CHECK(pass_failpoint("batch_sent"));
        CHECK_FALSE(pass_failpoint("batch_sent"));
        CHECK_FALSE(pass_failpoint("commit_sent"));
        CHECK_FALSE(pass_failpoint("commit_arrived"));
        CHECK_THROWS_AS(pass_failpoint("reply_sent"), contract_violation);
    }
}
