#include "postgres/interface.hpp"

#include <doctest/doctest.h>

using namespace gapless;

TEST_SUITE("postgres/interface")
{
    TEST_CASE("a program works with a schema when they have an interface in common")
    {
        auto const called = called_interfaces();
        auto const fits = [](int oldest, int newest) {
            return interface_obstacle(interface_range{oldest, newest}).empty();
        };
        CHECK(fits(called.oldest, called.newest));
        CHECK(fits(called.newest, called.newest + 5));
        CHECK(fits(called.oldest - 5, called.oldest));
        CHECK(fits(called.oldest - 5, called.newest + 5));
        CHECK_FALSE(fits(called.newest + 1, called.newest + 1));
        CHECK_FALSE(fits(called.oldest - 1, called.oldest - 1));
    }

    TEST_CASE("what does not fit names the way out")
    {
        auto const called = called_interfaces();
        auto const told = [](int oldest, int newest) {
            return interface_obstacle(interface_range{oldest, newest});
        };
        CHECK(
            interface_obstacle(std::nullopt) ==
            "the database has no schema of gapless; run: gapless migrate up"
        );
        CHECK(told(called.oldest - 1, called.oldest - 1).ends_with("; run: gapless migrate up"));
        CHECK(told(called.newest + 1, called.newest + 2).ends_with(": use a newer gapless"));
    }
}
