#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace block_handlers_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("http/block_handlers")
{
    TEST_CASE_FIXTURE(http_fixture, "loading answers 201 with the block and its place")
    {
        auto const answer =
            ask("POST /v1/series/dhl-paket/blocks",
                "",
                R"({"first":"4901214213505250000","last":"4901214213505500000","count":"250001",)"
                R"("reference":"letter 7","valid_until":"2099-12-31"})");
        CHECK(answer.status == 201);
        CHECK(answer.field("location") == "/v1/series/dhl-paket/blocks/12");
        CHECK(
            answer.body ==
            R"({"id":"12","series":"dhl-paket","first":"4901214213505250000",)"
            R"("last":"4901214213505500000","count":250001,"elsewhere":"0",)"
            R"("issued":"0","remaining":"250001",)"
            R"("next":"4901214213505250000","state":"queued","reference":"letter 7",)"
            R"("valid_until":"2099-12-31","position":2,"first_serial":"4901214213505250000",)"
            R"("last_serial":"4901214213505500000","cycle":1,)"
            R"("closed_reason":null,)"
            R"("recalled_at":null,"loaded_by":"token:all",)"
            R"("loaded_at":"1970-01-01T00:00:00.000000Z","warnings":[]})"
        );
        REQUIRE(service.block_drafts.size() == 1);
        CHECK(service.block_drafts[0].count == "250001");
        CHECK(service.actors.back() == "token:all");
    }

    TEST_CASE_FIXTURE(http_fixture, "a dry run keeps nothing, not even its key")
    {
        auto const answer =
            ask("POST /v1/series/dhl-paket/blocks?dry_run=true",
                "Idempotency-Key: k\r\n",
                R"({"first":5,"last":9})");
        CHECK(answer.status == 200);
        CHECK(answer.field("location").empty());
        CHECK(answer.body.starts_with(R"({"id":null,"series":"dhl-paket","first":"5","last":"9")"));
        CHECK(answer.body.ends_with(
            R"("recalled_at":null,"loaded_by":null,"loaded_at":null,"dry_run":true,"warnings":[]})"
        ));
        CHECK(service.dry_runs.back());
        CHECK_FALSE(service.identities.back());

        ask("POST /v1/series/dhl-paket/blocks?dry_run=false",
            "Idempotency-Key: k\r\n",
            R"({"first":5,"last":9})");
        CHECK_FALSE(service.dry_runs.back());
        CHECK(service.identities.back());
    }

    TEST_CASE_FIXTURE(http_fixture, "the ends of a block are numbers up to the largest serial")
    {
        auto const post = [this](std::string_view body) {
            return ask("POST /v1/series/dhl-paket/blocks", "", body).outcome();
        };
        CHECK(post(R"({"first":"0","last":"9223372036854775806"})") == "201 ");
        CHECK(post(R"({"first":0,"last":9007199254740991})") == "201 ");
        CHECK(post(R"({"first":0,"last":9007199254740992})") == "400 malformed-request");
        CHECK(post(R"({"first":0,"last":9223372036854775806})") == "400 malformed-request");
        CHECK(post(R"({"first":"0","last":"9223372036854775807"})") == "422 out-of-range");
        CHECK(post(R"({"first":0,"last":18446744073709551615})") == "400 malformed-request");
        CHECK(post(R"({"first":"0","last":"99999999999999999999999"})") == "422 out-of-range");
        CHECK(post(R"({"first":"0"})") == "400 malformed-request");
        CHECK(post(R"({"last":"0"})") == "400 malformed-request");
        for (std::string_view const end : {R"("")", R"("1e3")", R"("+1")", "\"\xd9\xa1\""})
        {
            CAPTURE(end);
            CHECK(
                post(R"({"first":)" + std::string{end} + R"(,"last":"5"})") == "422 out-of-range"
            );
        }
        for (std::string_view const end :
             {"-1", "1.0", "1e3", "null", "true", "[]", "{}", "\"1\\n\""})
        {
            CAPTURE(end);
            CHECK(
                post(R"({"first":)" + std::string{end} + R"(,"last":"5"})") ==
                "400 malformed-request"
            );
        }
        CHECK(post(R"({"first":"0","last":"5","count":"six"})") == "400 malformed-request");
        CHECK(
            post(R"({"first":"0","last":"5","valid_until":"tomorrow"})") == "400 malformed-request"
        );
        CHECK(
            post(R"({"first":"0","last":"5","valid_until":null,"reference":null,"count":6})") ==
            "201 "
        );
    }

    TEST_CASE_FIXTURE(http_fixture, "the ends of a block are whole numbers or serials, never both")
    {
        service.add_series("express", "dhl-express-10");
        auto const post = [this](std::string_view body) {
            return ask("POST /v1/series/express/blocks", "", body);
        };
        auto const answer = post(R"({"first":"33 1881 0025","last":"8487135506"})");
        CHECK(
            answer.text() ==
            R"(201 {"id":"12","series":"express","first":"3318810025","last":"8487135506",)"
            R"("count":516832549,"elsewhere":"0","issued":"0","remaining":"516832549",)"
            R"("next":"3318810025",)"
            R"("state":"queued","reference":null,"valid_until":null,"position":2,)"
            R"("first_serial":"331881002","last_serial":"848713550","cycle":1,)"
            R"("closed_reason":null,)"
            R"("recalled_at":null,"loaded_by":"token:all",)"
            R"("loaded_at":"1970-01-01T00:00:00.000000Z","warnings":[]})"
        );
        CHECK(post(R"({"first_serial":"331881002","last_serial":848713550})").body == answer.body);
        for (std::string_view const body :
             {R"({"first":"3318810024","last":"8487135506"})",
              R"({"first":"8487135506","last":"3318810025"})",
              R"({"first_serial":"0","last_serial":"1000000000"})",
              R"({"first_serial":"2","last_serial":"1"})"})
        {
            CAPTURE(body);
            CHECK(post(body).outcome() == "422 out-of-range");
        }
        for (std::string_view const body :
             {R"({"first":"3318810025","last_serial":"848713550"})",
              R"({"first_serial":"1"})",
              R"({"first_serial":"01","last_serial":"2"})",
              R"({"first":"3318810025","last":"8487135506","first_serial":"1","last_serial":"2"})",
              R"({})"})
        {
            CAPTURE(body);
            CHECK(post(body).outcome() == "400 malformed-request");
        }
        CHECK(service.block_drafts.size() == 2);
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
}

}  // namespace block_handlers_test
