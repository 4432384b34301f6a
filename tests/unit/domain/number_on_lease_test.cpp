#include "domain/number_on_lease.hpp"

#include <doctest/doctest.h>

using namespace gapless;

TEST_SUITE("domain/number_on_lease")
{
    TEST_CASE("a held number whose latest entry is a lease is on lease at its instance's host")
    {
        number_record number;
        number.state = "held";
        CHECK_FALSE(find_lease(number));
        database_time const since{std::chrono::seconds{7}};
        number.history = {{"leased", since, "lease:5f0c at packing at night", std::nullopt}};
        CHECK(find_lease(number) == lease_place{"packing at night", since});
        number.state = "voided";
        CHECK_FALSE(find_lease(number));
        number.state = "held";
        number.history.push_back({"held", since, "token:a", std::nullopt});
        CHECK_FALSE(find_lease(number));
    }
}
