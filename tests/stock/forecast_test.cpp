#include "stock/forecast.hpp"

#include <doctest/doctest.h>

#include <algorithm>

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

forecast told(consumption const& used, double remaining, std::int32_t lead_days = 7)
{
    auto const ahead = to_forecast(used, {.remaining = remaining, .lead_days = lead_days});
    REQUIRE(ahead);
    return *ahead;
}

std::vector<std::int64_t> const even(7, 100);

TEST_SUITE("stock/forecast")
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
        auto const ahead = told(weeks(4, even), 1'050);
        CHECK(ahead.per_day == 100);
        CHECK(ahead.days_left == 10);
        CHECK(ahead.exhausted_on == monday + std::chrono::days{10});
        CHECK(told(weeks(4, even), 1'000).days_left == 10);
        CHECK(told(weeks(4, even), 999).days_left == 9);
        CHECK(told(weeks(4, even), 0).exhausted_on == monday);
    }

    TEST_CASE("each weekday is expected as it was, and numbers last over days without use")
    {
        auto used = weeks(4, {100, 90, 80, 70, 60, 0, 0});
        CHECK(told(used, 399).days_left == 4);
        CHECK(told(used, 400).days_left == 7);
        CHECK(told(used, 499).days_left == 7);
        CHECK(told(used, 500).days_left == 8);
        CHECK(told(used, 40'000).days_left == 700);
        CHECK(told(used, 40'000).per_day == doctest::Approx(400.0 / 7));
        used.today += std::chrono::days{1};
        used.numbers.push_back(100);
        CHECK(told(used, 90).days_left == 1);
        CHECK(told(used, 300).days_left == 6);
    }

    TEST_CASE("four weeks are looked at, and weekdays that were not yet are mean days")
    {
        auto used = weeks(9, even);
        std::fill(used.numbers.begin(), used.numbers.end() - 28, 5'000);
        CHECK(told(used, 1'000).days_left == 10);
        CHECK(told(used, 1'600).order_by == monday + std::chrono::days{3});
        used.numbers[used.numbers.size() - 28] = 500;
        CHECK(told(used, 1'000).days_left == 8);
        used.numbers = {50, 100, 150};
        CHECK(told(used, 399).days_left == 3);
        CHECK(told(used, 400).days_left == 4);
    }

    TEST_CASE("a day that fits exactly fits, also where means are rounded")
    {
        auto used = weeks(3, {0, 0, 0, 0, 0, 0, 0});
        std::fill(used.numbers.end() - 7, used.numbers.end(), 1);
        for (int days = 3; days < 300; days += 3)
            CHECK(told(used, days / 3).days_left == days);
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

    TEST_CASE("an order is due at 1.6 times the use, and earlier the more days differ")
    {
        auto const used = weeks(4, even);
        CHECK(told(used, 1'600).order_by == monday + std::chrono::days{10 - 7});
        CHECK(told(used, 1'599).order_by == monday + std::chrono::days{9 - 7});
        CHECK(told(used, 1'600, 30).order_by == monday + std::chrono::days{10 - 30});
        CHECK(told(used, 0, 30).order_by == monday - std::chrono::days{30});
        // Weeks of 200 and of 0, so 100 is the deviation: 1.6 x 600 + 3 x 100 x sqrt(6) = 1'694.8
        auto wild = used;
        for (std::size_t n = 0; n < wild.numbers.size(); ++n)
            wild.numbers[n] = n / 7 % 2 ? 0 : 200;
        CHECK(told(wild, 1'695).order_by == monday + std::chrono::days{6 - 7});
        CHECK(told(wild, 1'694).order_by == monday + std::chrono::days{5 - 7});
        // 1.1 x 700 + 1.28 x 100 x sqrt(7) = 1'108.7; 0.9 x 700 - 1.28 x 100 x sqrt(7) = 291.3
        CHECK(told(wild, 1'109).days_left_p10 == 7);
        CHECK(told(wild, 1'108).days_left_p10 == 6);
        CHECK(told(wild, 292).days_left_p90 == 7);
        CHECK(told(wild, 291).days_left_p90 == 6);
    }

    TEST_CASE("a series that nobody uses any more lasts for ever, without dates")
    {
        auto used = weeks(8, even);
        used.numbers.resize(used.numbers.size() + 28);
        auto const ahead = told(used, 10);
        CHECK(ahead.per_day == 0);
        for (auto const& days : {ahead.days_left, ahead.days_left_p10, ahead.days_left_p90})
            CHECK_FALSE(days);
        CHECK_FALSE(ahead.exhausted_on);
        CHECK_FALSE(ahead.order_by);
        CHECK(told(used, 0).days_left == 0);
        CHECK(told(used, 0).exhausted_on == monday);
    }

    TEST_CASE("days are a number that JSON parsers read exactly, however many numbers are left")
    {
        consumption const used{.today = monday, .numbers = {1, 1, 1, 0, 0, 0, 0}};
        auto const ahead = told(used, 1e20);
        for (auto const& days : {ahead.days_left, ahead.days_left_p10, ahead.days_left_p90})
            CHECK(days == 9'007'199'254'740'991);
    }

    TEST_CASE("numbers last no longer than the last block is valid")
    {
        auto used = weeks(4, even);
        auto const until = [&](double days, double remaining = 10'000) {
            return *to_forecast(used, {.remaining = remaining, .lead_days = 7, .valid_days = days});
        };
        CHECK(until(2).days_left == 2);
        CHECK(until(2).exhausted_to == monday + std::chrono::days{2});
        CHECK(until(2).order_by == monday - std::chrono::days{5});
        CHECK(until(100).days_left == 100);
        CHECK(until(101).days_left == 100);
        CHECK(until(2, 100).days_left == 1);
        CHECK(until(0).exhausted_on == monday);
        used.numbers.resize(used.numbers.size() + 28);
        CHECK(until(2).days_left == 2);
    }

    TEST_CASE("what was used today is not expected once more")
    {
        auto used = weeks(4, even);
        used.used_today = 100;
        CHECK(told(used, 950).days_left == 10);
        CHECK(told(used, 1'440).order_by == monday + std::chrono::days{10 - 7});
        used.used_today = 900;
        CHECK(told(used, 150).days_left == 2);
    }
}

}  // namespace forecast_test
