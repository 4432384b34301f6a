#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace verify_handlers_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("http/verify_handlers")
{
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
        CHECK(ask(request("GET /v1/verify/gls")).outcome() == "404 unknown-series");
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
            CHECK(answer.outcome() == "503 database-unavailable");
            CHECK(answer.field("retry-after") != "");
        }
    }
}

}  // namespace verify_handlers_test
