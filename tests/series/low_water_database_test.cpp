#include "series/low_water.hpp"

#include <doctest/doctest.h>

namespace low_water_test {

using namespace gapless;

using series::watched_series;

watched_series one(std::string name, std::string remaining, std::optional<std::int64_t> mark)
{
    watched_series made;
    made.name = std::move(name);
    made.remaining = std::move(remaining);
    if (mark)
        made.low_water = *mark;
    return made;
}

std::string crossings(low_water_watch& watch, std::vector<watched_series> const& all)
{
    std::string names;
    for (auto const* crossed : watch.find_newly_low(all))
        names += crossed->name + ' ';
    return names;
}

TEST_SUITE("series/low_water_database")
{
    TEST_CASE("low is less than the mark, and never without one")
    {
        CHECK(is_low(one("s", "99", 100)));
        CHECK_FALSE(is_low(one("s", "100", 100)));
        CHECK(is_low(one("s", "0", 1)));
        CHECK_FALSE(is_low(one("s", "0", 0)));
        CHECK_FALSE(is_low(one("s", "0", std::nullopt)));
        // More than an int64 and more than a double tells apart.
        CHECK_FALSE(is_low(one("s", "99999999999999999999", 9'223'372'036'854'775'806)));
        CHECK(is_low(one("s", "9007199254740992", 9'007'199'254'740'993)));
    }

    TEST_CASE("each crossing is told once")
    {
        low_water_watch watch;
        CHECK(crossings(watch, {one("a", "100", 100), one("b", "5", 10)}) == "b ");
        CHECK(crossings(watch, {one("a", "99", 100), one("b", "4", 10)}) == "a ");
        CHECK(crossings(watch, {one("a", "98", 100), one("b", "0", 10)}) == "");
    }

    TEST_CASE("a series that was loaded again can cross again")
    {
        low_water_watch watch;
        CHECK(crossings(watch, {one("a", "9", 10)}) == "a ");
        CHECK(crossings(watch, {one("a", "500", 10)}) == "");
        CHECK(crossings(watch, {one("a", "9", 10)}) == "a ");
        CHECK(crossings(watch, {one("a", "9", std::nullopt)}) == "");
        CHECK(crossings(watch, {one("a", "9", 10)}) == "a ");
    }
}

}  // namespace low_water_test
