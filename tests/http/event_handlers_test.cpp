#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace event_handlers_test {

using namespace gapless;
using namespace gapless::test;

std::string outcome(raw_answer const& answer)
{
    return std::to_string(answer.status) + ' ' + answer.problem();
}

TEST_SUITE("http/event_handlers")
{
    TEST_CASE_FIXTURE(http_fixture, "an event is answered with how many numbers it concerns")
    {
        service.add_series("express", "dhl-express-10");
        auto const answer =
            ask("POST /v1/series/express/events",
                "",
                R"({"kind":"voided","ranges":[{"first":"33 1881 0025","last":"3318810036"},)"
                R"({"first":"8487135506","last":"8487135506"}],"reason":"torn","force":true})");
        CHECK(
            answer.text() == R"(201 {"series":"express","kind":"voided","count":"3","ranges":[)"
                             R"({"first":"3318810025","last":"3318810036"},)"
                             R"({"first":"8487135506","last":"8487135506"}],"reason":"torn"})"
        );
        CHECK(service.events.back().force);
        CHECK(service.actors.back() == "token:all");
        CHECK_FALSE(service.identities.back());
    }

    TEST_CASE_FIXTURE(http_fixture, "an event has a known kind, numbers of the series, and bounds")
    {
        auto const post = [this](std::string_view body) {
            return outcome(ask("POST /v1/series/dhl-paket/events", "", body));
        };
        for (std::string_view const kind : {"printed", "reprinted", "manifested", "returned"})
            CHECK(
                post(
                    R"({"kind":")" + std::string{kind} + R"(","ranges":[{"first":"5","last":"5"}]})"
                ) == "201 "
            );
        CHECK(post(R"({"kind":"lost","ranges":[{"first":"5","last":"5"}]})") == "422 out-of-range");
        CHECK(
            post(R"({"kind":"voided","ranges":[{"first":"5","last":"5"}]})") == "422 out-of-range"
        );
        CHECK(
            post(R"({"kind":"voided","ranges":[{"first":"5","last":"5"}],"reason":" "})") ==
            "422 out-of-range"
        );
        CHECK(
            post(
                R"({"kind":"printed","reason":")" + std::string(256, 'x') +
                R"(","ranges":[{"first":"5","last":"5"}]})"
            ) == "422 out-of-range"
        );
        CHECK(
            post(R"({"kind":"printed","ranges":[{"first":"x","last":"x"}]})") ==
            "404 unknown-number"
        );
        CHECK(
            post(R"({"kind":"printed","ranges":[{"first":"5","last":"4"}]})") == "422 out-of-range"
        );
        CHECK(post(R"({"kind":"printed","ranges":[]})") == "422 out-of-range");
        CHECK(post(R"({"kind":"printed"})") == "400 malformed-request");
        CHECK(post(R"({"ranges":[{"first":"5","last":"5"}]})") == "400 malformed-request");
        CHECK(service.events.size() == 4);
    }

    TEST_CASE_FIXTURE(http_fixture, "an event takes 10000 ranges and no more")
    {
        auto const post = [this](int count) {
            std::string body{R"({"kind":"printed","ranges":[)"};
            for (int n = 0; n < count; ++n)
            {
                auto const number = '"' + std::to_string(n) + '"';
                body.append(n == 0 ? "" : ",").append(R"({"first":)" + number);
                body.append(R"(,"last":)" + number + '}');
            }
            return outcome(ask("POST /v1/series/dhl-paket/events", "", body + "]}"));
        };
        CHECK(post(10'000) == "201 ");
        CHECK(post(10'001) == "422 out-of-range");
    }

    TEST_CASE_FIXTURE(http_fixture, "ranges are objects with the texts first and last")
    {
        for (std::string_view const ranges :
             {"null",
              "5",
              "{}",
              "\"5\"",
              "[5]",
              "[null]",
              "[true]",
              "[[]]",
              "[\"5\"]",
              "[{}]",
              R"([{"last":"5"}])",
              R"([{"first":5}])",
              R"([{"first":null}])",
              R"([{"first":{}}])",
              R"([{"first":[]}])",
              R"([{"first":"5","first":"5"}])",
              R"([{"first":"5","other":"5"}])",
              "[{\"first\":\"5\\n\"}]"})
        {
            CAPTURE(ranges);
            auto const answer =
                ask("POST /v1/series/dhl-paket/events",
                    "",
                    R"({"kind":"printed","ranges":)" + std::string{ranges} + '}');
            CHECK(outcome(answer) == "400 malformed-request");
            CHECK(answer.body.find("ranges") != std::string::npos);
        }
    }
}

}  // namespace event_handlers_test
