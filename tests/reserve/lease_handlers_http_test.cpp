#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace lease_handlers_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("reserve/lease_handlers_http")
{
    TEST_CASE_FIXTURE(http_fixture, "what a reserve issued says so, also when it is read again")
    {
        service.draws = true;
        auto const post = [this] { return ask(issue_request("k", R"({"count":2})")); };
        auto const drawn = post();
        CHECK(drawn.status == 201);
        CHECK(drawn.field("location") == "/v1/issuances/90111");
        CHECK(drawn.body.starts_with(R"({"id":"90111","series":"dhl-paket","state":"issued",)"));
        CHECK(drawn.body.find(R"("epoch":"1","reserve":true,"issued_at":)") != std::string::npos);
        CHECK(post().body == drawn.body);
        CHECK(ask(request("GET /v1/issuances/90111")).body == drawn.body);
        CHECK(ask(request("GET /v1/issuances/90111/labels.zpl")).status == 200);
    }

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
