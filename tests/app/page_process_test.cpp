#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("process/page")
{
    TEST_CASE_FIXTURE(clerk_bench, "a session knows its token, and where the database's days begin")
    {
        run("select gapless.time_zone_set('Pacific/Kiritimati', 'test')");
        run("select gapless.environment_set('production', 'test')");
        std::vector<std::string> const own{"s"};
        auto const clerk = create_token("clerk", {.scopes = {"read", "load"}, .series = own}).token;
        auto const told = json_of(get("/v1/session", clerk), 200);
        CHECK(told.at("name") == "clerk");
        CHECK(told.at("scopes") == json_value{"read", "load"});
        CHECK(told.at("series") == json_value{"s"});
        CHECK(told.at("time_zone") == "Pacific/Kiritimati");
        CHECK(told.at("environment") == "production");
        CHECK(told.at("today") == run("select gapless.day_of(now())"));
        CHECK(outcome(get("/v1/session", "")) == "401 unauthenticated");
    }
}
