#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace issuance_answer_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view numbers_path{"POST /v1/series/dhl-paket/numbers"};

TEST_SUITE("numbers/issuance_answer_http")
{
    TEST_CASE_FIXTURE(http_fixture, "up to 1000 numbers are listed unless the query says otherwise")
    {
        auto const listed = [this](std::string_view key, std::string_view query, int count) {
            auto const answer = ask(request(
                std::string{numbers_path} + std::string{query},
                "Idempotency-Key: " + std::string{key} + "\r\n",
                R"({"count":)" + std::to_string(count) + '}'
            ));
            REQUIRE(answer.status == 201);
            auto const list = answer.body.find(R"("numbers":[)");
            if (list == std::string::npos)
                return 0L;
            auto const end = answer.body.find(']', list);
            return std::count(
                       answer.body.begin() + static_cast<long>(list),
                       answer.body.begin() + static_cast<long>(end),
                       ','
                   ) +
                   1L;
        };
        CHECK(listed("a", "", 1'000) == 1'000);
        CHECK(listed("b", "", 1'001) == 0);
        CHECK(listed("c", "?numbers=true", 1'001) == 1'001);
        CHECK(listed("d", "?numbers=false", 1) == 0);
        CHECK(listed("e", "?numbers=true", 1) == 1);
    }

    TEST_CASE_FIXTURE(http_fixture, "text/csv lists one number to a line")
    {
        auto const as = [this](std::string_view accept) {
            return ask(request(
                numbers_path,
                "Idempotency-Key: csv\r\nAccept: " + std::string{accept} + "\r\n",
                R"({"count":2})"
            ));
        };
        auto const csv = as("text/csv");
        CHECK(csv.text() == "201 4901214213405250000\n4901214213405250001\n");
        CHECK(csv.field("content-type") == "text/csv; charset=utf-8");
        CHECK(csv.field("location") == "/v1/issuances/111");
        CHECK(as("text/csv, application/json").field("content-type") == "text/csv; charset=utf-8");
        CHECK(as("application/json, text/csv").field("content-type") == "application/json");
        CHECK(as("text/csv;q=0.5").field("idempotency-replayed") == "true");
        CHECK(as("*/*").field("content-type") == "application/json");
        CHECK(as("image/png").field("content-type") == "application/json");
    }

    TEST_CASE_FIXTURE(http_fixture, "an issuance is read as it was answered")
    {
        auto const issued = ask(issue_request("read", R"({"count":2,"reference":"r"})"));
        auto const found = ask(request("GET " + issued.field("location")));
        CHECK(found.status == 200);
        CHECK(found.body == issued.body);
        CHECK(found.field("idempotency-replayed").empty());
        CHECK(
            ask(request("GET /v1/issuances/111?numbers=false")).body.find("numbers") ==
            std::string::npos
        );
        CHECK(
            ask(request("GET /v1/issuances/111", "Accept: text/csv\r\n")).body ==
            "4901214213405250000\n4901214213405250001\n"
        );
        auto const head = ask(request("HEAD /v1/issuances/111"));
        CHECK(head.status == 200);
        CHECK(head.field("content-length") == std::to_string(issued.body.size()));
    }

    TEST_CASE_FIXTURE(http_fixture, "an issuance over several ranges is one answer")
    {
        // The fake's blocks never end, so that the rollover is made by hand.
        service.keeps_waiting = true;
        auto client = connect();
        client.send(issue_request("rollover", R"({"count":2})"));
        CHECK_FALSE(client.is_closed_within(std::chrono::milliseconds{10}));
        auto rolled = service.take_waiting();
        rolled->ended(issuance{
            .series_id = 1,
            .epoch = 2,
            .issued_at = {},
            .ranges =
                {{.block_id = 1,
                  .count = 1,
                  .serial = 9'223'372'036'854'775'806,
                  .ordinal = 5,
                  .turn = 0},
                 {.block_id = 2, .count = 1, .serial = 0, .ordinal = 6, .turn = 0}},
            .reference = "\"quoted\"\\",
            .replayed = false});
        CHECK(
            client.receive().body ==
            R"({"id":"115","series":"dhl-paket","state":"issued","count":2,"ranges":[)"
            R"({"block":"1","first":"9223372036854775806","last":"9223372036854775806",)"
            R"("count":1,"ordinal":"5"},)"
            R"({"block":"2","first":"0","last":"0","count":1,"ordinal":"6"}],)"
            R"("numbers":["9223372036854775806","0"],"reference":"\"quoted\"\\","epoch":"2",)"
            R"("issued_at":"1970-01-01T00:00:00.000000Z"})"
        );
    }
}

}  // namespace issuance_answer_test
