#include "base/rate_limit.hpp"

#include <doctest/doctest.h>

namespace rate_limit_test {

using namespace gapless;
using namespace std::chrono_literals;

using limit = rate_limit<int>;

limit::clock::time_point const start{24h};

/// How many of so many requests pass at that moment.
int passing(limit& limited, rate const& allowed, int asked, std::chrono::milliseconds at)
{
    int passed = 0;
    for (int n = 0; n < asked; ++n)
        passed += limited.take(1, allowed, start + at) == 0s ? 1 : 0;
    return passed;
}

TEST_SUITE("base/rate_limit")
{
    TEST_CASE("a key may spend its burst at once and goes on at its rate")
    {
        limit limited;
        rate const allowed{.count = 10, .burst = 5};
        CHECK(passing(limited, allowed, 20, 0ms) == 5);
        CHECK(passing(limited, allowed, 20, 99ms) == 0);
        CHECK(passing(limited, allowed, 20, 100ms) == 1);
        CHECK(passing(limited, allowed, 20, 400ms) == 3);
        CHECK(passing(limited, allowed, 20, 10'000ms) == 5);
    }

    TEST_CASE("without a burst a key may spend a whole period at once")
    {
        limit limited;
        rate const allowed{.count = 20, .period = 60s};
        CHECK(passing(limited, allowed, 30, 0ms) == 20);
        CHECK(passing(limited, allowed, 30, 2'999ms) == 0);
        CHECK(passing(limited, allowed, 30, 3'000ms) == 1);
    }

    TEST_CASE("over a long time the rate holds, however the requests arrive")
    {
        limit limited;
        rate const allowed{.count = 100, .burst = 3};
        int passed = 0;
        for (int at = 0; at < 10'000; ++at)
            passed += passing(limited, allowed, at % 3, std::chrono::milliseconds{at});
        CHECK(passed >= 1'000);
        CHECK(passed <= 1'003);
    }

    TEST_CASE("whoever may not pass is told when, and asking costs nothing")
    {
        limit limited;
        rate const allowed{.count = 2, .burst = 1};
        CHECK(limited.wait(1, allowed, start) == 0s);
        CHECK(limited.take(1, allowed, start) == 0s);
        CHECK(limited.take(1, allowed, start + 100ms) == 400ms);
        CHECK(limited.wait(1, allowed, start + 499ms) == 1ms);
        CHECK(limited.wait(1, allowed, start + 500ms) == 0s);
        CHECK(limited.take(1, allowed, start + 500ms) == 0s);
        CHECK(limited.wait(2, allowed, start + 500ms) == 0s);  // a bucket of its own
    }

    TEST_CASE("of too many keys the one used least recently is forgotten")
    {
        limit limited;
        rate const allowed{.count = 1};
        auto const last = static_cast<int>(limit::keys_max);
        for (int key = 1; key <= last; ++key)
            CHECK(limited.take(key, allowed, start) == 0s);
        CHECK(limited.take(1, allowed, start) == 1s);  // refused, and used all the same
        CHECK(limited.take(last + 1, allowed, start) == 0s);
        CHECK(limited.wait(1, allowed, start) == 1s);
        CHECK(limited.wait(2, allowed, start) == 0s);
        CHECK(limited.wait(3, allowed, start) == 1s);
        CHECK(limited.take(2, allowed, start) == 0s);
        CHECK(limited.wait(3, allowed, start) == 0s);
    }
}

}  // namespace rate_limit_test
