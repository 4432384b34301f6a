#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

namespace consumption_handlers_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view path{"GET /v1/series/dhl-paket/consumption"};

constexpr std::string_view rest{
    R"("remaining":"249998","forecast":{"per_day":null,"days_left":null,"exhausted_on":null,)"
    R"("days_left_p10":null,"days_left_p90":null,"exhausted_from":null,"exhausted_to":null,)"
    R"("order_by":null,"lead_days":null}})"};

TEST_SUITE("http/consumption_handlers")
{
    TEST_CASE_FIXTURE(http_fixture, "use is told by day, the latest last, with what is remaining")
    {
        service.used_days = {5, 0, 7};
        CHECK(
            ask(request(path)).text() ==
            R"(200 {"series":"dhl-paket","today":"2026-11-20","used_today":"3","days":[)"
            R"({"date":"2026-11-17","numbers":"5"},{"date":"2026-11-18","numbers":"0"},)"
            R"({"date":"2026-11-19","numbers":"7"}],)" +
                std::string{rest}
        );
    }

    TEST_CASE_FIXTURE(http_fixture, "a series without a day that is over has none")
    {
        auto const answer = ask(request(path));
        CHECK(answer.body.find(R"("used_today":"3","days":[],"remaining")") != std::string::npos);
    }

    TEST_CASE_FIXTURE(http_fixture, "as many days are told as were requested, 42 if nobody says")
    {
        service.used_days.assign(420, 1);
        auto const days = [this](std::string_view query) {
            auto const answer = ask(request(std::string{path} + std::string{query}));
            std::string const mark{"{\"date\""};
            auto count = 0;
            for (auto at = answer.body.find(mark); at != std::string::npos;
                 at = answer.body.find(mark, at + 1))
                ++count;
            return std::to_string(answer.status) + ' ' + std::to_string(count);
        };
        CHECK(days("") == "200 42");
        CHECK(days("?days=1") == "200 1");
        CHECK(days("?days=420") == "200 420");
        CHECK(ask(request(std::string{path} + "?days=0")).problem() == "out-of-range");
        CHECK(ask(request(std::string{path} + "?days=421")).problem() == "out-of-range");
        CHECK(ask(request(std::string{path} + "?days=many")).problem() == "malformed-request");
    }
}

}  // namespace consumption_handlers_test
