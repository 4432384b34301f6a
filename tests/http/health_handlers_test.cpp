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
            R"("fenced":false,)"
            R"("detail":"","epoch":"1"})"
        );
        service.ready = {};
        service.ready.database = true;
        service.ready.detail = "Run gapless migrate up.";
        auto const answer = ask("GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n");
        CHECK(
            answer.text() ==
            R"(503 {"status":"unavailable","database":true,"schema":false,"primary":false,)"
            R"("lane":false,"fenced":false,"detail":"Run gapless migrate up.","epoch":null})"
        );
        std::set<std::string> const soon{"1", "2", "3"};
        CHECK(soon.contains(answer.field("retry-after")));
    }
}
