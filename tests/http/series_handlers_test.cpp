#include "domain/moment.hpp"
#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace series_handlers_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view the_series{
    R"({"name":"dhl-paket","carrier":"dhl","space":"dhl","format":"plain","params":{},)"
    R"("on_release":"reissue","on_expiry":"void","low_water":null,"paused":false,"issued":"3",)"
    R"("remaining":"249998","next":"4901214213405250003","blocks":"1","reuse_after":null,)"
    R"("reserve_numbers":null,"on_lease":"0","reserve_minutes":null,)"
    R"("states":{"free":"0","held":"0","issued":"0","printed":"0","voided":"0","manifested":"0",)"
    R"("returned":"0"},"forecast":{"per_day":null,"days_left":null,"exhausted_on":null,)"
    R"("days_left_p10":null,"days_left_p90":null,"exhausted_from":null,"exhausted_to":null,)"
    R"("order_by":null,"lead_days":null}})"};

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

TEST_SUITE("http/series_handlers")
{
    TEST_CASE_FIXTURE(http_fixture, "a series is read with its ETag")
    {
        auto const answer = ask(request("GET /v1/series/dhl-paket"));
        CHECK(answer.text() == "200 " + std::string{the_series});
        CHECK(answer.field("etag") == "\"7\"");
    }

    TEST_CASE_FIXTURE(http_fixture, "a list of series holds those the token sees")
    {
        service.add_series("gls");
        service.add_token("one", all_scopes, std::vector<std::string>{"dhl-paket"});
        CHECK(
            ask("GET /v1/series HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer one\r\n\r\n").body ==
            R"({"items":[)" + std::string{the_series} + R"(],"next":null})"
        );
        CHECK(ask(request("GET /v1/series")).body.find(R"("name":"gls")") != std::string::npos);
    }

    TEST_CASE_FIXTURE(http_fixture, "a series is created with what was given and answered with 201")
    {
        auto const answer =
            ask("POST /v1/series",
                "",
                R"({"name":"gls","carrier":"GLS","space":"s","format":"sscc","params":{"a":"b"},)"
                R"("on_release":"void","on_expiry":"reissue","low_water":"1000",)"
                R"("reuse_after":"12 months","reserve_numbers":500})");
        CHECK(answer.status == 201);
        CHECK(answer.field("location") == "/v1/series/gls");
        CHECK(
            answer.body ==
            R"({"name":"gls","carrier":"GLS","space":"s","format":"sscc","params":{"a":"b"},)"
            R"("on_release":"void","on_expiry":"reissue","low_water":"1000","paused":false,)"
            R"("issued":"0","remaining":"0","next":null,"blocks":"0","reuse_after":"12 months",)"
            R"("reserve_numbers":"500","on_lease":"0","reserve_minutes":null,)"
            R"("states":{"free":"0","held":"0","issued":"0","printed":"0","voided":"0",)"
            R"("manifested":"0","returned":"0"},)"
            R"("forecast":{"per_day":null,"days_left":null,"exhausted_on":null,)"
            R"("days_left_p10":null,"days_left_p90":null,"exhausted_from":null,)"
            R"("exhausted_to":null,"order_by":null,"lead_days":null}})"
        );
        CHECK(service.actors.back() == "token:all");
        CHECK_FALSE(service.identities.back());
    }

    TEST_CASE_FIXTURE(http_fixture, "creating needs a name and a carrier and no more")
    {
        auto const post = [this](std::string_view body) {
            return outcome(ask("POST /v1/series", "", body));
        };
        CHECK(post(R"({"name":"gls","carrier":"GLS"})") == "201 ");
        CHECK(post(R"({"name":"gls"})") == "400 malformed-request");
        CHECK(post(R"({"carrier":"GLS"})") == "400 malformed-request");
        CHECK(post(R"({"name":"gls","carrier":"GLS","paused":true})") == "400 malformed-request");
        CHECK(post(R"({"name":"gls","carrier":"GLS","format":1})") == "400 malformed-request");
        CHECK(post(R"({"name":"gls","carrier":"GLS","low_water":-1})") == "400 malformed-request");
        CHECK(outcome(ask(request("POST /v1/series"))) == "400 malformed-request");
        CHECK(service.series_drafts.size() == 1);
    }

    TEST_CASE_FIXTURE(http_fixture, "a token for some series creates no others")
    {
        service.add_token("one", all_scopes, std::vector<std::string>{"dhl-paket"});
        std::string const body{R"({"name":"gls","carrier":"GLS"})"};
        auto const answer =
            ask("POST /v1/series HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer one\r\n"
                "Content-Type: application/json\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n\r\n" + body);
        CHECK(outcome(answer) == "403 forbidden");
        CHECK(service.series_drafts.empty());
    }

    TEST_CASE_FIXTURE(http_fixture, "a key makes creating repeatable")
    {
        auto const post = [this] {
            return ask(
                "POST /v1/series",
                "Idempotency-Key: \"a \\\"key\\\"\"\r\n",
                R"({"name":"gls","carrier":"GLS"})"
            );
        };
        auto const first = post();
        auto const second = post();
        CHECK(first.status == 201);
        CHECK(first.field("idempotency-replayed").empty());
        CHECK(second.text() == first.text());
        CHECK(second.field("location") == first.field("location"));
        CHECK(second.field("idempotency-replayed") == "true");
        REQUIRE(service.identities.back());
        CHECK(service.identities.back()->key == "a \"key\"");
        CHECK(service.identities.back()->owner_id == 1);
        CHECK(service.identities[0]->fingerprint == service.identities[1]->fingerprint);
        ask("POST /v1/series", "Idempotency-Key: k\r\n", R"({"name":"gls","carrier":"GLX"})");
        CHECK(service.identities[2]->fingerprint != service.identities[1]->fingerprint);
    }

    TEST_CASE_FIXTURE(http_fixture, "the same body on another path is another request")
    {
        service.add_series("gls");
        auto const post = [this](std::string const& path) {
            ask("POST " + path, "Idempotency-Key: k\r\n", R"({"first":"1","last":"9"})");
            REQUIRE(service.identities.back());
            return service.identities.back()->fingerprint;
        };
        auto const first = post("/v1/series/dhl-paket/blocks");
        CHECK(post("/v1/series/dhl-paket/blocks") == first);
        CHECK(post("/v1/series/gls/blocks") != first);
    }

    TEST_CASE_FIXTURE(http_fixture, "a bad key is refused where none is needed, too")
    {
        auto const answer =
            ask("POST /v1/series", "Idempotency-Key:\r\n", R"({"name":"gls","carrier":"GLS"})");
        CHECK(outcome(answer) == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(http_fixture, "changing sets what was given and leaves the rest")
    {
        auto const patch = [this](std::string_view body) {
            return ask("PATCH /v1/series/dhl-paket", "", body);
        };
        auto const answer = patch(R"({"paused":true,"low_water":500})");
        CHECK(answer.status == 200);
        CHECK(answer.field("etag") == "\"8\"");
        CHECK(answer.body.find(R"("low_water":"500","paused":true)") != std::string::npos);
        CHECK_FALSE(service.series_changes.back().on_release);
        CHECK(patch(R"({"low_water":null})").body.find(R"("low_water":null)") != std::string::npos);
        patch(R"({"on_release":"void","on_expiry":"reissue"})");
        CHECK(service.series_changes.back().on_release == "void");
        CHECK(service.series_changes.back().on_expiry == "reissue");
        CHECK_FALSE(service.series_changes.back().low_water);
        patch(R"({"reuse_after":"12 months"})");
        CHECK(service.series_changes.back().reuse_after == "12 months");
        patch(R"({"reuse_after":null})");
        REQUIRE(service.series_changes.back().reuse_after);
        CHECK_FALSE(*service.series_changes.back().reuse_after);
        CHECK(outcome(patch(R"({"reuse_after":12})")) == "400 malformed-request");
        patch(R"({"reuse_after":"1 year 2 mons 3 days"})");
        CHECK(service.series_changes.back().reuse_after == "1 year 2 mons 3 days");
        for (std::string_view const interval :
             {"",
              "soon",
              "12",
              "months",
              "-1 day",
              "0 days",
              "04:00:00",
              "12  months",
              "12 fortnights",
              "99999 years"})
        {
            CAPTURE(interval);
            auto const body = R"({"reuse_after":")" + std::string{interval} + "\"}";
            CHECK(outcome(patch(body)) == "422 out-of-range");
        }
        CHECK(outcome(patch(R"({"paused":1})")) == "400 malformed-request");
        CHECK(outcome(patch(R"({"paused":null})")) == "422 out-of-range");
        CHECK(outcome(patch(R"({"name":"other"})")) == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(http_fixture, "If-Match changes the version it names and no other")
    {
        auto const patch = [this](std::string_view tag) {
            return outcome(
                ask("PATCH /v1/series/dhl-paket",
                    "If-Match: " + std::string{tag} + "\r\n",
                    R"({"paused":true})")
            );
        };
        CHECK(patch("\"6\"") == "412 precondition-failed");
        CHECK(patch("\"7\"") == "200 ");
        CHECK(patch("\"7\"") == "412 precondition-failed");
        CHECK(patch("*") == "200 ");
        CHECK(patch("W/\"9\"") == "412 precondition-failed");
        CHECK(patch("\"x\"") == "412 precondition-failed");
        CHECK(patch("\"99999999999\"") == "412 precondition-failed");
        CHECK(patch("9") == "400 malformed-request");
        CHECK(patch("\"9\", \"8\"") == "400 malformed-request");
        CHECK(patch("") == "400 malformed-request");
    }

    TEST_CASE_FIXTURE(http_fixture, "verify tells its findings and what it looked at")
    {
        service.checked = {
            .series = "dhl-paket",
            .ledger_rows = 9'007'199'254'740'993,
            .numbers = "92233720368547758070",
            .blocks = 2,
            .findings = {{"dhl-paket", "ordinal 17", "A gap."}, {"dhl-paket", "counter", "\xff"}}};
        CHECK(
            ask(request("GET /v1/verify/dhl-paket")).text() ==
            "200 "
            R"({"findings":[{"series":"dhl-paket","at":"ordinal 17","what":"A gap."},)"
            "{\"series\":\"dhl-paket\",\"at\":\"counter\",\"what\":\"\xef\xbf\xbd\"}],"
            R"("checked":{"ledger_rows":"9007199254740993","numbers":"92233720368547758070",)"
            R"("blocks":"2"}})"
        );
        service.checked = {};
        service.checked.numbers = "0";
        CHECK(
            ask(request("GET /v1/verify/dhl-paket")).text() ==
            R"(200 {"findings":[],"checked":{"ledger_rows":"0","numbers":"0","blocks":"0"}})"
        );
        CHECK(outcome(ask(request("GET /v1/verify/gls"))) == "404 unknown-series");
    }

    TEST_CASE_FIXTURE(http_fixture, "refusals of reading and changing become problems")
    {
        service.refuses = refusal{refusal_kind::database_unavailable, "It is away."};
        for (std::string_view const line :
             {"GET /v1/series",
              "GET /v1/series/dhl-paket",
              "GET /v1/series/dhl-paket/blocks",
              "GET /v1/series/dhl-paket/blocks/1",
              "GET /v1/verify/dhl-paket",
              "GET /v1/issuances/111",
              "POST /v1/issuances/111/confirm",
              "GET /v1/series/dhl-paket/numbers/1",
              "GET /v1/series/dhl-paket/issuances",
              "GET /v1/numbers/1",
              "GET /v1/formats",
              "GET /v1/formats/plain",
              "PATCH /v1/series/dhl-paket"})
        {
            CAPTURE(line);
            auto const answer = ask(request(line));
            CHECK(outcome(answer) == "503 database-unavailable");
            CHECK(answer.field("retry-after") != "");
        }
    }
}

}  // namespace series_handlers_test
