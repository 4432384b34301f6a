#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace format_handlers_test {

using namespace gapless;
using namespace gapless::test;

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

TEST_SUITE("http/format_handlers")
{
    TEST_CASE_FIXTURE(http_fixture, "a format of the shipper's own is kept and read again")
    {
        auto const kept =
            ask("POST /v1/formats",
                "",
                R"({"name":"own-8","number":"[{n:7}]{c}","check":"mod7","hrt":"#### ####",)"
                R"("barcode":{"symbology":"code128","data":"{number}"}})");
        CHECK(kept.status == 201);
        CHECK(kept.field("location") == "/v1/formats/own-8");
        CHECK(service.actors.back() == "token:all");
        REQUIRE(service.formats.size() == 1);
        CHECK(service.formats[0].barcode.symbology == "code128");
        auto const found = ask(request("GET /v1/formats/own-8"));
        CHECK(found.status == 200);
        CHECK(found.body == kept.body);
        CHECK(
            ask(request("GET /v1/formats")).text() ==
            R"(200 {"items":[)" + kept.body + R"(],"next":null})"
        );
        CHECK(outcome(ask(request("GET /v1/formats/other"))) == "404 not-found");
    }

    TEST_CASE_FIXTURE(http_fixture, "what is no declaration is refused and changes nothing")
    {
        for (std::string_view const body :
             {"[]", "{", "{}", R"({"name":"a"})", R"({"name":"a","number":"{n:*}","x":"y"})"})
        {
            CAPTURE(body);
            CHECK(outcome(ask("POST /v1/formats", "", body)) == "400 malformed-request");
        }
        CHECK(outcome(ask(request("POST /v1/formats"))) == "400 malformed-request");
        CHECK(service.formats.empty());
        service.refuses = refusal{refusal_kind::state_conflict, "The name is taken."};
        CHECK(
            outcome(ask("POST /v1/formats", "", R"({"name":"a","number":"{n:*}"})")) ==
            "409 state-conflict"
        );
    }
}

}  // namespace format_handlers_test
