#include "service/request_rates.hpp"

#include <doctest/doctest.h>

namespace request_rates_test {

using namespace gapless;
using namespace std::chrono_literals;

request_rates::clock::time_point const start{24h};

/// How many of so many requests pass at that moment.
int passing(
    request_rates& rates, token_limits const& limits, int asked, std::chrono::milliseconds at
)
{
    int passed = 0;
    for (int n = 0; n < asked; ++n)
        passed += rates.count(1, limits, start + at) == 0s ? 1 : 0;
    return passed;
}

TEST_SUITE("service/request_rates")
{
    TEST_CASE("a token may spend its burst at once and goes on at its rate")
    {
        request_rates rates;
        token_limits const limits{.rate = 10, .burst = 5};
        CHECK(passing(rates, limits, 20, 0ms) == 5);
        CHECK(passing(rates, limits, 20, 99ms) == 0);
        CHECK(passing(rates, limits, 20, 100ms) == 1);
        CHECK(passing(rates, limits, 20, 400ms) == 3);
        CHECK(passing(rates, limits, 20, 10'000ms) == 5);
    }

    TEST_CASE("without a burst a token may spend one second's requests at once")
    {
        request_rates rates;
        CHECK(passing(rates, {.rate = 7}, 20, 0ms) == 7);
    }

    TEST_CASE("over a long time the rate holds, however the requests arrive")
    {
        request_rates rates;
        token_limits const limits{.rate = 100, .burst = 3};
        int passed = 0;
        for (int at = 0; at < 10'000; ++at)
            passed += passing(rates, limits, at % 3, std::chrono::milliseconds{at});
        CHECK(passed >= 1'000);
        CHECK(passed <= 1'003);
    }

    TEST_CASE("who may not pass is told when the next one may")
    {
        request_rates rates;
        token_limits const limits{.rate = 2, .burst = 1};
        CHECK(rates.count(1, limits, start) == 0s);
        CHECK(rates.count(1, limits, start + 100ms) == 400ms);
        CHECK(rates.count(1, limits, start + 499ms) == 1ms);
        CHECK(rates.count(1, limits, start + 500ms) == 0s);
    }

    TEST_CASE("tokens do not share a bucket, also among very many")
    {
        request_rates rates;
        token_limits const limits{.rate = 1};
        CHECK(rates.count(1, limits, start) == 0s);
        CHECK(rates.count(2, limits, start) == 0s);
        CHECK(rates.count(1, limits, start) > 0s);
        auto const many = static_cast<int>(2 * request_rates::tokens_max);
        for (int id = 3; id < many; ++id)
            CHECK(rates.count(id, limits, start + 2s) == 0s);
        CHECK(rates.count(many - 1, limits, start + 2s) > 0s);
    }
}

}  // namespace request_rates_test
