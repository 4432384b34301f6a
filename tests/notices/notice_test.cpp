#include "notices/notice.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace gapless;

TEST_SUITE("notices/notice")
{
    TEST_CASE("a kind is known by its whole name, and a test is none that is published")
    {
        for (auto const kind : notice_kinds)
            CHECK(is_notice_kind(kind));
        for (std::string_view const other : {"", "series", "series.low ", "Series.low", "low"})
            CHECK_FALSE(is_notice_kind(other));
        CHECK_FALSE(is_notice_kind(notice_of_test));
        CHECK(std::set(notice_kinds.begin(), notice_kinds.end()).size() == 16);
    }

    TEST_CASE("what follows a notice can be read from the one before the oldest to the last")
    {
        constexpr notice_bounds bounds{.oldest = 50, .last = 60};
        CHECK(bounds.reach_behind(49));
        CHECK(bounds.reach_behind(60));
        CHECK_FALSE(bounds.reach_behind(48));
        CHECK_FALSE(bounds.reach_behind(1));
        CHECK_FALSE(bounds.reach_behind(61));
        CHECK_FALSE(bounds.reach_behind(-1));
    }

    TEST_CASE("0 is the beginning, whatever has gone and whatever there is")
    {
        CHECK(notice_bounds{.oldest = 50, .last = 60}.reach_behind(0));
        CHECK(notice_bounds{}.reach_behind(0));
        CHECK_FALSE(notice_bounds{}.reach_behind(1));
    }
}
