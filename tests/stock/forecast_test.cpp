#include "stock/forecast.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace forecast_test {

using namespace gapless;
using namespace std::chrono_literals;

constexpr std::chrono::sys_days monday{2026y / 11 / 23};

/// So many weeks of the same days, Monday first, until the Sunday before `monday`.
consumption weeks(int count, std::vector<std::int64_t> const& week)
{
    consumption used{.today = monday, .numbers = {}};
    for (int n = 0; n < count; ++n)
        used.numbers.insert(used.numbers.end(), week.begin(), week.end());
    return used;
}

/// The same, one day later.
consumption next_day(consumption used, std::int64_t count)
{
    used.today += std::chrono::days{1};
    used.numbers.push_back(count);
    return used;
}

forecast told(consumption const& used, double remaining, std::int32_t lead_days = 7)
{
    auto const ahead = to_forecast(used, {.remaining = remaining, .lead_days = lead_days});
    REQUIRE(ahead);
    return *ahead;
}

std::vector<std::int64_t> const even(7, 100);
std::vector<std::int64_t> const working{100, 100, 100, 100, 100, 0, 0};

TEST_SUITE("domain/forecast")
{
    TEST_CASE("before three days with numbers there is no forecast")
    {
        consumption used{.today = monday, .numbers = {}, .used_today = 50};
        stock const left{.remaining = 1'000, .lead_days = 7};
        CHECK_FALSE(to_forecast(used, left));
        used.numbers = {0, 10, 0, 0, 20, 0};
        CHECK_FALSE(to_forecast(used, left));
        used.numbers.push_back(1);
        CHECK(to_forecast(used, left));
    }

    TEST_CASE("even use lasts as long as the numbers divided by a day's")
    {
        auto const ahead = told(weeks(8, even), 1'050);
        CHECK(ahead.per_day == doctest::Approx(100));
        CHECK(ahead.days_left == 10);
        CHECK(ahead.exhausted_on == monday + std::chrono::days{10});
        CHECK(told(weeks(8, even), 0).days_left == 0);
        CHECK(told(weeks(8, even), 0).exhausted_on == monday);
    }

    TEST_CASE("the span has the median in it, and the order date comes before all of it")
    {
        auto const used = weeks(8, {120, 80, 110, 95, 130, 20, 0});
        for (double const remaining : {1.0, 50.0, 1'000.0, 20'000.0, 1e9, 1e18})
        {
            auto const ahead = told(used, remaining);
            CHECK(ahead.days_left_p10 <= ahead.days_left);
            CHECK(ahead.days_left <= ahead.days_left_p90);
            if (ahead.exhausted_from)
                CHECK(*ahead.order_by + std::chrono::days{7} <= *ahead.exhausted_from);
        }
    }

    TEST_CASE("a longer lead time orders earlier by as many days")
    {
        auto const used = weeks(8, even);
        CHECK(
            *told(used, 9'000, 7).order_by - *told(used, 9'000, 30).order_by ==
            std::chrono::days{23}
        );
        CHECK(told(used, 0, 30).order_by == monday - std::chrono::days{30});
    }

    TEST_CASE("numbers last over days on which none is used")
    {
        // From Monday: five days of 100, and two of nearly none.
        auto const ahead = told(weeks(8, working), 520);
        CHECK(ahead.days_left >= 5);
        CHECK(ahead.days_left <= 7);
        CHECK(told(weeks(8, working), 480).days_left == 4);
        CHECK(ahead.per_day == doctest::Approx(500.0 / 7).epsilon(0.05));
    }

    TEST_CASE("a closed day and a strike say nothing about the days to come")
    {
        auto const usual = weeks(8, working);
        auto const before = told(usual, 10'000).per_day;
        CHECK(told(next_day(usual, 0), 10'000).per_day == doctest::Approx(before).epsilon(0.02));
        auto strike = usual;
        for (int n = 0; n < 12; ++n)
            strike = next_day(strike, 0);
        CHECK(told(strike, 10'000).per_day == doctest::Approx(before).epsilon(0.05));
    }

    TEST_CASE("a series that nobody uses any more lasts for ever, without dates")
    {
        auto used = weeks(8, even);
        for (int n = 0; n < 100; ++n)
            used = next_day(used, 0);
        auto const ahead = told(used, 10);
        CHECK(ahead.per_day == 0);
        CHECK(ahead.days_left > 1e18);
        CHECK_FALSE(ahead.exhausted_on);
        CHECK_FALSE(ahead.order_by);
    }

    TEST_CASE("what was used today is not expected once more")
    {
        auto used = weeks(8, even);
        auto const morning = told(used, 1'050);
        used.used_today = 100;
        CHECK(told(used, 950).days_left == morning.days_left);
        CHECK(told(used, 950).order_by == morning.order_by);
        used.used_today = 900;
        CHECK(told(used, 150).days_left == 2);
    }

    TEST_CASE("a season of last year is expected again")
    {
        auto used = weeks(59, even);
        // The two weeks that begin a week from now, a year ago.
        auto const begin = used.numbers.size() - 364 + 7;
        for (auto day = begin; day < begin + 14; ++day)
            used.numbers[day] = 300;
        auto const ahead = told(used, 3'500);
        CHECK(ahead.days_left < 20);
        CHECK(told(weeks(59, even), 3'500).days_left == 35);
    }

    TEST_CASE("use that rises is expected to rise a while longer")
    {
        auto used = weeks(4, even);
        for (int n = 0; n < 14; ++n)
            used = next_day(used, 150);
        CHECK(told(used, 15'000).days_left < 100);
        CHECK(told(used, 15'000).days_left > 60);
    }

    TEST_CASE("wilder days and weeks order earlier")
    {
        auto wild = weeks(8, even);
        for (std::size_t n = 0; n < wild.numbers.size(); ++n)
            wild.numbers[n] = n / 7 % 2 ? 30 : 170;
        CHECK(*told(wild, 3'000).order_by < *told(weeks(8, even), 3'000).order_by);
    }
}

}  // namespace forecast_test
