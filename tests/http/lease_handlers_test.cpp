#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace lease_handlers_test {

using namespace gapless;
using namespace gapless::test;

constexpr database_time the_moment{std::chrono::microseconds{1'795'212'311'123'456}};

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

TEST_SUITE("http/lease_handlers")
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
            CHECK(outcome(answer) == "404 unknown-issuance");
            return answer.body.find("settled: repeat later") != std::string::npos;
        };
        CHECK(hint("GET /v1/issuances/90117"));
        CHECK(hint("GET /v1/issuances/90117/labels.zpl"));
        CHECK(hint("POST /v1/issuances/90117/confirm"));
        CHECK_FALSE(hint("GET /v1/issuances/117"));
        CHECK_FALSE(hint("GET /v1/issuances/9"));
    }

    TEST_CASE_FIXTURE(http_fixture, "an event of a number that is on lease can be repeated later")
    {
        service.refuses = refusal{
            refusal_kind::on_lease, "number 7 is on lease at packing-1 since then; repeat later"};
        auto const answer =
            ask("POST /v1/series/dhl-paket/events",
                "",
                R"({"kind":"printed","ranges":[{"first":"7","last":"7"}]})");
        CHECK(outcome(answer) == "409 on-lease");
        CHECK_FALSE(answer.field("retry-after").empty());
        CHECK(answer.body.find("on lease at packing-1") != std::string::npos);
    }

    TEST_CASE_FIXTURE(http_fixture, "a number that is on lease says where, and since when")
    {
        number_record record;
        record.serial = 7;
        record.state = "held";
        record.ordinal = 5;
        record.history = {{"leased", the_moment, "lease:5f0c6a1e at packing-1", std::nullopt}};
        service.add_number("dhl-paket", record);
        auto const lease =
            R"("on_lease":{"host":"packing-1","since":"2026-11-20T22:05:11.123456Z"})";
        CHECK(ask(request("GET /v1/numbers/7")).body.find(lease) != std::string::npos);
        record.serial = 8;
        record.state = "issued";
        record.history.push_back({"issued", the_moment, "token:a", std::nullopt});
        service.add_number("dhl-paket", record);
        CHECK(ask(request("GET /v1/numbers/8")).body.find("on_lease") == std::string::npos);
    }
}

}  // namespace lease_handlers_test
