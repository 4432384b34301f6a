#include "harness/http_fixture.hpp"
#include "http/problem.hpp"

#include <doctest/doctest.h>

namespace issue_handlers_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view numbers_path{"POST /v1/series/dhl-paket/numbers"};

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

TEST_SUITE("http/issue_handlers")
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

    TEST_CASE_FIXTURE(http_fixture, "a replay is the identical body and says so")
    {
        auto const first = ask(issue_request("again", R"({"count":2})"));
        auto const second = ask(issue_request("again", R"({"count":2})"));
        CHECK(second.text() == first.text());
        CHECK(second.field("location") == first.field("location"));
        CHECK(second.field("idempotency-replayed") == "true");
        CHECK(ask(issue_request("\"again\"", R"({"count":2})")).text() == first.text());
    }

    TEST_CASE_FIXTURE(http_fixture, "without a body nothing is issued")
    {
        CHECK(
            ask(request(numbers_path, "Idempotency-Key: k\r\n")).problem() == "malformed-request"
        );
        CHECK(ask(issue_request("k", " \t\r\n")).problem() == "malformed-request");
        CHECK(service.issued.empty());
        CHECK(ask(issue_request("k", "{}")).status == 201);
    }

    TEST_CASE_FIXTURE(http_fixture, "every field is optional")
    {
        ask(issue_request("empty", "{}"));
        ask(issue_request("null", R"({"reference":null})"));
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
        CHECK(ask(issue_request("null")).body.find(R"("reference":null)") != std::string::npos);
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

    TEST_CASE_FIXTURE(http_fixture, "issuing without a usable key is refused")
    {
        auto const key = [this](std::string_view lines) { return ask(numbers_path, lines, "{}"); };
        CHECK(key("").problem() == "idempotency-key-missing");
        CHECK(key("").status == 400);
        CHECK(key("Idempotency-Key:\r\n").problem() == "malformed-request");
        CHECK(key("Idempotency-Key: \"open\r\n").problem() == "malformed-request");
        CHECK(key("Idempotency-Key: k\xc3\xa4\r\n").problem() == "malformed-request");
        CHECK(
            key("Idempotency-Key: " + std::string(256, 'k') + "\r\n").problem() ==
            "malformed-request"
        );
        CHECK(key("Idempotency-Key: " + std::string(255, 'k') + "\r\n").status == 201);
        CHECK(service.issued.size() == 1);
    }

    TEST_CASE_FIXTURE(http_fixture, "a count is an integer from 1 to 100000")
    {
        CHECK(refused(*this, R"({"count":0})") == "422 out-of-range");
        CHECK(refused(*this, R"({"count":-1})") == "422 out-of-range");
        CHECK(refused(*this, R"({"count":100001})") == "422 out-of-range");
        CHECK(refused(*this, R"({"count":9223372036854775807})") == "422 out-of-range");
        CHECK(detail_of(*this, R"({"count":0})").find("100000") != std::string::npos);
        for (std::string_view const count :
             {"1.5",
              "1.0",
              "1e2",
              "\"3\"",
              "true",
              "[1]",
              "{}",
              "9223372036854775808",
              "NaN",
              "0x1",
              "+1",
              "01",
              "Infinity"})
        {
            CAPTURE(count);
            CHECK(
                refused(*this, R"({"count":)" + std::string{count} + '}') == "400 malformed-request"
            );
        }
        CHECK(service.issued.empty());
    }

    TEST_CASE_FIXTURE(
        http_fixture, "a reference has up to 255 characters and no control characters"
    )
    {
        auto const reference = [](std::string const& text) {
            return R"({"reference":")" + text + R"("})";
        };
        std::string long_text;
        for (int n = 0; n < 255; ++n)
            long_text += "\xe2\x82\xac";
        CHECK(ask(issue_request("fits", reference(long_text))).status == 201);
        CHECK(service.issued.back().reference == long_text);
        CHECK(refused(*this, reference(long_text + 'x')) == "422 out-of-range");
        CHECK(refused(*this, reference("a\\u0000b")) == "400 malformed-request");
        CHECK(refused(*this, reference("a\\u001fb")) == "400 malformed-request");
        CHECK(refused(*this, reference("a\\u007fb")) == "400 malformed-request");
        CHECK(refused(*this, reference("a\\u0085b")) == "400 malformed-request");
        CHECK(refused(*this, R"({"reference":5})") == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(http_fixture, "unknown fields are refused by their names")
    {
        CHECK(refused(*this, R"({"quantity":3})") == "400 malformed-request");
        CHECK(detail_of(*this, R"({"quantity":3})").find("quantity") != std::string::npos);
        CHECK(refused(*this, R"({"hold_minutes":1})") == "400 malformed-request");
        CHECK(refused(*this, R"({"Count":3})") == "400 malformed-request");
        CHECK(service.issued.empty());
    }

    TEST_CASE_FIXTURE(http_fixture, "a body has to be application/json in UTF-8")
    {
        auto const typed = [this](std::string const& lines) {
            return ask(
                "POST /v1/series/dhl-paket/numbers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "
                "all\r\n"
                "Idempotency-Key: k\r\n" +
                lines + "Content-Length: 2\r\n\r\n{}"
            );
        };
        for (std::string_view const type :
             {"application/json",
              "application/json; charset=utf-8",
              "Application/JSON;charset=UTF-8",
              "application/json ; charset=\"utf-8\""})
        {
            CAPTURE(type);
            CHECK(typed("Content-Type: " + std::string{type} + "\r\n").status == 201);
        }
        for (std::string_view const type :
             {"text/plain",
              "application/json; charset=latin1",
              "application/json; version=1",
              "application/jsonx",
              "application/x-www-form-urlencoded",
              ""})
        {
            CAPTURE(type);
            auto const answer = typed("Content-Type: " + std::string{type} + "\r\n");
            CHECK(answer.status == 415);
            CHECK(answer.problem() == "unsupported-media-type");
        }
        CHECK(typed("").status == 415);
    }

    TEST_CASE_FIXTURE(http_fixture, "what the service refuses becomes its problem document")
    {
        using enum refusal_kind;
        for (auto const kind :
             {series_exhausted,
              not_contiguous,
              series_paused,
              idempotency_key_reused,
              too_many_requests,
              overloaded,
              database_unavailable,
              fenced,
              outcome_unknown})
        {
            service.refuses = refusal{kind, "Because \"so\"."};
            auto const answer = ask(issue_request("k"));
            auto const unknown = kind == outcome_unknown;
            CHECK(answer.status == status_of(kind));
            CHECK(answer.field("content-type") == "application/problem+json");
            CHECK(
                answer.body == R"({"type":"/problems/)" + std::string{name_of(kind)} +
                                   R"(","title":")" + std::string{title_of(kind)} +
                                   R"(","status":)" + std::to_string(status_of(kind)) +
                                   R"(,"detail":"Because \"so\".","executed":")" +
                                   (unknown ? "unknown" : "no") + R"("})"
            );
            auto const waits = status_of(kind) == 429 || status_of(kind) == 503;
            CHECK(answer.field("retry-after").empty() != waits);
            CHECK(answer.field("connection").empty());
            CHECK(answer.field("location").empty());
        }
    }
}

}  // namespace issue_handlers_test
