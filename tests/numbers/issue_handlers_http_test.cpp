#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace issue_handlers_test {

using namespace gapless;
using namespace gapless::test;

/// The problem type and status of an issue request with this body: "400 malformed-request".
std::string refused(http_fixture& http, std::string_view body)
{
    return http.ask(http_fixture::issue_request("refused", body)).outcome();
}

std::string detail_of(http_fixture& http, std::string_view body)
{
    auto const json = http.ask(http_fixture::issue_request("refused", body)).body;
    constexpr std::string_view mark{R"("detail":")"};
    auto const begin = json.find(mark) + mark.size();
    return json.substr(begin, json.find(R"(","executed)", begin) - begin);
}

TEST_SUITE("numbers/issue_handlers_http")
{
    TEST_CASE_FIXTURE(http_fixture, "issuing answers with the issuance of the contract")
    {
        auto const answer =
            ask(issue_request("order-4711", R"({"count":3,"reference":"order-4711"})"));
        CHECK(
            answer.text() ==
            R"(201 {"id":"111","series":"dhl-paket","state":"issued","count":3,)"
            R"("ranges":[{"block":"1","first":"4901214213405250000",)"
            R"("last":"4901214213405250002","count":3,"ordinal":"1"}],)"
            R"("numbers":["4901214213405250000","4901214213405250001","4901214213405250002"],)"
            R"("reference":"order-4711","epoch":"1","issued_at":"2026-11-20T22:05:11.123456Z"})"
        );
        CHECK(answer.field("location") == "/v1/issuances/111");
        CHECK(answer.field("content-type") == "application/json");
        CHECK(answer.field("cache-control") == "no-store");
        CHECK(answer.field("x-content-type-options") == "nosniff");
        CHECK(answer.field("idempotency-replayed").empty());
        CHECK(answer.field("server").empty());
    }

    TEST_CASE_FIXTURE(http_fixture, "every field is optional")
    {
        ask(issue_request("empty", "{}"));
        ask(issue_request("nothing", R"({"reference":null})"));
        ask(issue_request("text", R"({"reference":""})"));
        REQUIRE(service.issued.size() == 3);
        for (auto const& asked : service.issued)
        {
            CHECK(asked.count == 1);
            CHECK_FALSE(asked.contiguous);
            CHECK_FALSE(asked.reference);
            CHECK(asked.series_id == 1);
            CHECK(asked.owner_id == 1);
        }
        CHECK(ask(issue_request("nothing")).body.find(R"("reference":null)") != std::string::npos);
    }

    TEST_CASE_FIXTURE(http_fixture, "what was asked reaches the service")
    {
        ask(issue_request(
            "k", R"( { "contiguous" : true, "count" : 100000, "reference" : "ä\n" } )"
        ));
        CHECK(service.issued.empty());
        ask(issue_request(
            "k", R"( { "contiguous" : true, "count" : 100000, "reference" : "\u00e4" } )"
        ));
        REQUIRE(service.issued.size() == 1);
        CHECK(service.issued[0].contiguous);
        CHECK(service.issued[0].count == 100'000);
        CHECK(service.issued[0].reference == "\xc3\xa4");
        service.add_token("second", all_scopes);
        auto of_another = issue_request("k");
        of_another.replace(of_another.find("Bearer all"), 10, "Bearer second");
        ask(of_another);
        REQUIRE(service.issued.size() == 2);
        CHECK(service.issued[0].owner_id == 1);
        CHECK(service.issued[1].owner_id == 2);
    }

    TEST_CASE_FIXTURE(http_fixture, "unknown fields are refused by their names")
    {
        CHECK(refused(*this, R"({"quantity":3})") == "400 malformed-request");
        CHECK(detail_of(*this, R"({"quantity":3})").find("quantity") != std::string::npos);
        CHECK(refused(*this, R"({"hold_minutes":1})") == "400 malformed-request");
        CHECK(refused(*this, R"({"Count":3})") == "400 malformed-request");
        CHECK(service.issued.empty());
    }
}

}  // namespace issue_handlers_test
