#include "base/contract.hpp"
#include "domain/refusal.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace gapless;

TEST_SUITE("domain/refusal")
{
    TEST_CASE("every refusal has a name, a title and a status of its own kind")
    {
        std::set<std::string_view> names;
        for (int n = 1; n <= static_cast<int>(refusal_kind::outcome_unknown); ++n)
        {
            auto const kind = static_cast<refusal_kind>(n);
            CHECK(names.insert(name_of(kind)).second);
            CHECK_FALSE(title_of(kind).empty());
            CHECK(status_of(kind) >= 400);
            CHECK(status_of(kind) <= 503);
        }
        CHECK(name_of(refusal_kind::series_exhausted) == "series-exhausted");
        CHECK(status_of(refusal_kind::idempotency_key_reused) == 422);
    }

    TEST_CASE("an SQLSTATE of ours leads to its refusal and back, any other to none")
    {
        CHECK(refusal_of_sqlstate("GL009") == refusal_kind::series_exhausted);
        CHECK(sqlstate_of(refusal_kind::series_exhausted) == "GL009");
        CHECK(refusal_of_sqlstate("40001") == refusal_kind{});
        CHECK(refusal_of_sqlstate("") == refusal_kind{});
    }

    TEST_CASE("taking a refusal for a value is a broken promise")
    {
        result<int> const no = refusal{refusal_kind::series_paused, "x"};
        CHECK_THROWS_AS(no.value(), contract_violation);
    }
}
