#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace notice_handlers_test {

using namespace gapless;
using namespace gapless::test;

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

struct notices_fixture : http_fixture
{
    notices_fixture()
    {
        for (std::int64_t seq = 4; seq <= 6; ++seq)
            service.notices.push_back(
                {.id = "8a6e0804-2bd0-4672-b79d-d97027f9071a",
                 .seq = seq,
                 .kind = "series.exhausted",
                 .series = "dhl-paket",
                 .at = database_time{std::chrono::microseconds{1'795'212'311'123'456}},
                 .epoch = 1}
            );
    }
};

TEST_SUITE("notices/notice_handlers_http")
{
    TEST_CASE_FIXTURE(notices_fixture, "notices are listed from the oldest on, in pages")
    {
        CHECK(
            ask(request("GET /v1/notices?limit=1")).text() ==
            R"(200 {"items":[{"id":"8a6e0804-2bd0-4672-b79d-d97027f9071a","seq":"4",)"
            R"("kind":"series.exhausted","series":"dhl-paket",)"
            R"("at":"2026-11-20T22:05:11.123456Z","epoch":"1","environment":null,"data":{},)"
            R"("text":{"en":"dhl-paket: no numbers remaining; load a block",)"
            R"("de":"dhl-paket: keine Nummern mehr; einen Block laden"}}],"next":"4"})"
        );
        CHECK(service.notice_pages.at(0).after == 0);
        CHECK(service.notice_pages.at(0).limit == 2);
        CHECK(ask(request("GET /v1/notices?after=5")).body.ends_with(R"("next":null})"));
        CHECK(service.notice_pages.at(1).after == 5);
        CHECK(ask(request("GET /v1/notices?after=6")).body == R"({"items":[],"next":null})");
        CHECK(ask(request("HEAD /v1/notices")).status == 200);
    }

    TEST_CASE_FIXTURE(notices_fixture, "a page of notices begins at a number and has its bounds")
    {
        for (std::string_view const query : {"after=x", "after=", "limit=x"})
            CHECK(
                outcome(ask(request("GET /v1/notices?" + std::string{query}))) ==
                "400 malformed-request"
            );
        for (std::string_view const query :
             {"limit=0", "limit=-1", "limit=1001", "after=-1", "after=9223372036854775808"})
            CHECK(
                outcome(ask(request("GET /v1/notices?" + std::string{query}))) == "422 out-of-range"
            );
        CHECK(service.notice_pages.empty());
    }

    TEST_CASE_FIXTURE(notices_fixture, "a series of others is missing")
    {
        service.refuses = refusal{refusal_kind::unknown_series, "there is no series 'none'"};
        auto const answer = ask(request("GET /v1/notices?series=none&wait=30"));
        CHECK(outcome(answer) == "404 unknown-series");
        CHECK(answer.body.find("'none'") == std::string::npos);
    }

    TEST_CASE_FIXTURE(notices_fixture, "who has read what is gone, or was never here, is told")
    {
        std::string const reset{R"({"items":[],"next":"3","reset":true})"};
        for (std::string_view const after : {"1", "2", "7", "99"})
            for (std::string_view const wait : {"", "&wait=30"})
            {
                auto const query = std::string{after} + std::string{wait};
                CHECK(ask(request("GET /v1/notices?after=" + query)).body == reset);
            }
        CHECK(ask(request("GET /v1/notices?after=3")).body.ends_with(R"("next":null})"));
    }

    TEST_CASE_FIXTURE(notices_fixture, "notices are no event stream, and that is said")
    {
        auto const answered = [this](std::string const& accept) {
            return ask(request("GET /v1/notices", "Accept: " + accept + "\r\n")).status;
        };
        for (std::string const accept :
             {"text/event-stream", "Text/Event-Stream", "text/event-stream;x=1;q=0.001"})
            CHECK(answered(accept) == 406);
        for (std::string const accept :
             {"text/event-stream, application/json;q=0.5",
              "application/json;q=0.1,text/event-stream",
              "text/event-stream;q=0",
              "text/event-stream;q=0.000;x=1, */*",
              "text/event-stream, */*;q=0.1",
              "text/html, */*"})
            CHECK(answered(accept) == 200);
        auto const refused = ask(request("GET /v1/notices", "Accept: text/event-stream\r\n"));
        CHECK(outcome(refused) == "406 not-acceptable");
        CHECK(refused.body.find("wait=30") != std::string::npos);
    }
}

}  // namespace notice_handlers_test
