#include "base/text.hpp"
#include "notices/notice_words.hpp"

#include <doctest/doctest.h>

namespace notice_words_test {

using namespace gapless::words;
using namespace std::chrono;
using gapless::to_grouped;

std::string told(year_month_day from, year_month_day to, language const& by)
{
    return to_days(sys_days{from}, sys_days{to}, 2026y, by);
}

TEST_SUITE("notices/notice_words")
{
    TEST_CASE("digits stand in groups of three, with the sign of the language")
    {
        CHECK(to_grouped("0", ',') == "0");
        CHECK(to_grouped("999", ',') == "999");
        CHECK(to_grouped("1000", ',') == "1,000");
        CHECK(to_grouped("41200", english.thousands) == "41,200");
        CHECK(to_grouped("41200", german.thousands) == "41.200");
        CHECK(to_grouped("1000000", '.') == "1.000.000");
        CHECK(to_grouped("9223372036854775806000", ',') == "9,223,372,036,854,775,806,000");
        CHECK(to_grouped("?", ',') == "?");
        CHECK(to_grouped("-1000", ',') == "-1000");
    }

    TEST_CASE("a day has its year where that is another one")
    {
        CHECK(to_day(sys_days{2026y / 11 / 27}, 2026y, english) == "27 November");
        CHECK(to_day(sys_days{2026y / 11 / 27}, 2026y, german) == "27. November");
        CHECK(to_day(sys_days{2027y / 3 / 1}, 2026y, english) == "1 March 2027");
        CHECK(to_day(sys_days{2027y / 3 / 1}, 2026y, german) == "1. März 2027");
    }

    TEST_CASE("days of one month share its name, days of one year its number")
    {
        CHECK(told(2026y / 12 / 3, 2026y / 12 / 5, english) == "3–5 December");
        CHECK(told(2026y / 12 / 3, 2026y / 12 / 5, german) == "3.–5. Dezember");
        CHECK(told(2026y / 12 / 3, 2026y / 12 / 3, english) == "3 December");
        CHECK(told(2026y / 11 / 30, 2026y / 12 / 2, english) == "30 November – 2 December");
        CHECK(told(2026y / 11 / 30, 2026y / 12 / 2, german) == "30. November – 2. Dezember");
        CHECK(told(2027y / 1 / 2, 2027y / 1 / 4, english) == "2–4 January 2027");
        CHECK(told(2027y / 1 / 31, 2027y / 2 / 1, german) == "31. Januar – 1. Februar 2027");
    }

    TEST_CASE("days of two years have both")
    {
        CHECK(told(2026y / 12 / 31, 2027y / 1 / 3, english) == "31 December 2026 – 3 January 2027");
        CHECK(
            told(2026y / 12 / 31, 2027y / 12 / 31, german) ==
            "31. Dezember 2026 – 31. Dezember 2027"
        );
        CHECK(told(2026y / 12 / 3, 2028y / 12 / 5, english) == "3 December 2026 – 5 December 2028");
    }
}

}  // namespace notice_words_test
