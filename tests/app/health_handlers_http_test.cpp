#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("app/health_handlers_http")
{
    TEST_CASE_FIXTURE(http_fixture, "liveness asks nobody")
    {
        service.throws = true;
        CHECK(ask("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").text() == R"(200 {"status":"ok"})");
    }

    TEST_CASE_FIXTURE(http_fixture, "readiness tells each part")
    {
        CHECK(
            ask("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n").text() ==
            R"(200 {"status":"ok","database":true,"schema":true,"primary":true,"lane":true,)"
            R"("fenced":false,"safe":true,"accept_risk":false,)"
            R"("detail":"","epoch":"1","warnings":[]})"
        );
        service.ready = {};
        service.ready.database = true;
        service.ready.detail = "Run gapless migrate up.";
        auto const answer = ask("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n");
        CHECK(
            answer.text() ==
            R"(503 {"status":"unavailable","database":true,"schema":false,"primary":false,)"
            R"("lane":false,"fenced":false,"safe":false,"accept_risk":false,)"
            R"("detail":"Run gapless migrate up.","epoch":null,"warnings":[]})"
        );
        std::set<std::string> const soon{"1", "2", "3"};
        CHECK(soon.contains(answer.field("retry-after")));
    }

    TEST_CASE_FIXTURE(http_fixture, "a series that a reserve serves is degraded, others are not")
    {
        auto const ready = [this](std::string const& query) {
            auto const answer = ask("GET /readyz" + query + " HTTP/1.1\r\nHost: a\r\n\r\n");
            CHECK(answer.field("retry-after").empty() == (answer.status == 200));
            return answer.text();
        };
        service.reserved = {"dhl-paket"};
        CHECK(ready("?series=dhl-paket").starts_with(R"(200 {"status":"ok",)"));
        service.ready.lane = false;
        service.ready.detail = "no connection";
        auto const degraded = ready("?series=dhl-paket");
        CHECK(degraded.starts_with(R"(200 {"status":"degraded","database":true,)"));
        CHECK(degraded.find(R"("lane":false)") != std::string::npos);
        CHECK(degraded.find(R"("detail":"no connection")") != std::string::npos);
        CHECK(ready("").starts_with(R"(503 {"status":"unavailable",)"));
        service.ready.stale = true;
        CHECK(ready("?series=dhl-paket").starts_with(R"(200 {"status":"degraded",)"));
        service.add_series("gls");
        CHECK(ready("?series=gls").starts_with(R"(503 {"status":"stale",)"));
        service.reserved.clear();
        CHECK(ready("?series=dhl-paket").starts_with(R"(503 {"status":"stale",)"));
    }

    TEST_CASE_FIXTURE(http_fixture, "a series that is not there is told while the database answers")
    {
        auto const ready = [this](std::string const& query) {
            return ask("GET /readyz" + query + " HTTP/1.1\r\nHost: a\r\n\r\n");
        };
        CHECK(ready("?series=none").problem() == "unknown-series");
        CHECK(ready("?series=none").status == 404);
        CHECK(ready("?serie=dhl-paket").status == 400);
        service.remembers = false;  // so it has to ask
        CHECK(ready("?series=dhl-paket").status == 200);
        service.ready.database = false;
        service.refuses = refusal{refusal_kind::database_unavailable, "asked in vain"};
        CHECK(ready("?series=none").text().starts_with(R"(503 {"status":"unavailable",)"));
    }
}
