#include "domain/moment.hpp"
#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace hold_list_test {

using namespace gapless;
using namespace gapless::test;

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};

struct holds_fixture : http_fixture
{
    holds_fixture()
    {
        for (std::int64_t ordinal = 4; ordinal <= 6; ++ordinal)
            service.holds.push_back(
                {.issuance = {.series_id = 1, .turn = 0, .ordinal = ordinal},
                 .series = "dhl-paket",
                 .held = 2,
                 .reference = "order-4711",
                 .expires_at = the_moment}
            );
    }
};

TEST_SUITE("http/hold_list")
{
    TEST_CASE_FIXTURE(holds_fixture, "open holds are listed by expiry, in pages")
    {
        CHECK(
            ask(request("GET /v1/holds?limit=1")).text() ==
            R"(200 {"items":[{"issuance":"114","series":"dhl-paket","held":2,)"
            R"("reference":"order-4711","expires_at":"2026-11-20T22:05:11.123456Z"}],)"
            R"("next":"1795212311123456-114"})"
        );
        CHECK(service.hold_pages.at(0).limit == 2);
        ask(request("GET /v1/holds?after=1795212311123456-114"));
        auto const& page = service.hold_pages.at(1);
        REQUIRE(page.after);
        CHECK(page.after->expires_at == the_moment);
        CHECK(page.after->issuance == issuance_id{.series_id = 1, .turn = 0, .ordinal = 4});
        CHECK(ask(request("GET /v1/holds?limit=3")).body.ends_with(R"("next":null})"));
        service.holds.clear();
        CHECK(ask(request("GET /v1/holds")).text() == R"(200 {"items":[],"next":null})");
    }

    TEST_CASE_FIXTURE(holds_fixture, "a page begins where one before it ended, and nowhere else")
    {
        for (std::string_view const after :
             {"",
              "-",
              "1",
              "1-",
              "-1-114",
              "x-114",
              "1-x",
              "1-114-",
              "1 -114",
              "253402300800000000-114"})
        {
            CAPTURE(after);
            std::string target{"GET /v1/holds?after="};
            for (auto const c : after)
                target += c == ' ' ? std::string{"%20"} : std::string{c};
            CHECK(outcome(ask(request(target))) == "400 malformed-request");
        }
        CHECK(outcome(ask(request("GET /v1/holds?limit=0"))) == "422 out-of-range");
        CHECK(outcome(ask(request("GET /v1/holds?limit=1001"))) == "422 out-of-range");
        CHECK(service.hold_pages.empty());
    }

    TEST_CASE_FIXTURE(
        holds_fixture, "a series that is not there, or not the token's, is named alike"
    )
    {
        ask(request("GET /v1/holds?series=dhl-paket"));
        CHECK(service.hold_pages.at(0).series == "dhl-paket");
        service.refuses = refusal{refusal_kind::unknown_series, "there is no series 'none'"};
        auto const answer = ask(request("GET /v1/holds?series=none"));
        CHECK(outcome(answer) == "404 unknown-series");
        CHECK(answer.body.find("'none'") == std::string::npos);
    }
}

}  // namespace hold_list_test
