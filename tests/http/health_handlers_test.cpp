#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("http/health_handlers")
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

    TEST_CASE_FIXTURE(http_fixture, "readiness that was seen too long ago is stale")
    {
        service.ready.stale = true;
        service.ready.detail = "stale: the database has not answered for 7 s";
        auto const answer = ask("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n");
        CHECK(answer.text().starts_with(R"(503 {"status":"stale","database":true,)"));
        CHECK(answer.body.find("has not answered for 7 s") != std::string::npos);
    }

    TEST_CASE_FIXTURE(http_fixture, "readiness names what to see to on the server")
    {
        service.ready.warnings = {
            {"fsync", gapless::health_severity::risk, false, "off", "set it \"on\""}};
        service.ready.accept_risk = true;
        auto const answer = ask("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n").text();
        CHECK(answer.starts_with("200 "));
        CHECK(
            answer.find(R"("warnings":[{"check":"fsync","severity":"risk","value":"off",)"
                        R"("advice":"set it \"on\""}])") != std::string::npos
        );
    }
}
