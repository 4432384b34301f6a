#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace lease_handlers_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("reserve/lease_handlers_http")
{
    TEST_CASE_FIXTURE(http_fixture, "what is not settled yet is unknown, and that is said")
    {
        auto const hint = [this](std::string_view target) {
            auto const answer = ask(request(target));
            CHECK(answer.outcome() == "404 unknown-issuance");
            return answer.body.find("settled: repeat later") != std::string::npos;
        };
        CHECK(hint("GET /v1/issuances/90117"));
        CHECK(hint("GET /v1/issuances/90117/labels.zpl"));
        CHECK(hint("POST /v1/issuances/90117/confirm"));
        CHECK_FALSE(hint("GET /v1/issuances/117"));
        CHECK_FALSE(hint("GET /v1/issuances/9"));
    }
}

}  // namespace lease_handlers_test
