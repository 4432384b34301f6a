#include "base/contract.hpp"
#include "base/refusal.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace gapless;

TEST_SUITE("base/refusal")
{
    TEST_CASE("every refusal has a name of its own, and a title")
    {
        std::set<std::string_view> names;
        for (int n = 1; n <= static_cast<int>(refusal_kind::outcome_unknown); ++n)
        {
            auto const kind = static_cast<refusal_kind>(n);
            CHECK(names.insert(name_of(kind)).second);
            CHECK_FALSE(title_of(kind).empty());
        }
        CHECK(name_of(refusal_kind::series_exhausted) == "series-exhausted");
    }

    TEST_CASE("taking a refusal for a value is a broken promise")
    {
        result<int> const no = refusal{refusal_kind::series_paused, "x"};
        CHECK_THROWS_AS(no.value(), contract_violation);
    }
}
