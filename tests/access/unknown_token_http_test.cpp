#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace gapless::test;

/// What a token that is not in memory, or none, may do and is told.
TEST_SUITE("http/unknown_token")
{
    TEST_CASE_FIXTURE(
        http_fixture, "a token that has to be looked up has its scopes and sees its series only"
    )
    {
        service.remembers = false;
        service.add_token("reads", static_cast<unsigned>(scope::read));
        service.add_token("elsewhere", all_scopes, std::vector<std::string>{"gls"});
        auto const status_of = [this](std::string const& token) {
            auto asked = issue_request("k");
            asked.replace(asked.find("Bearer all"), 10, "Bearer " + token);
            return ask(asked).problem();
        };
        CHECK(status_of("reads") == "forbidden");
        CHECK(status_of("elsewhere") == "unknown-series");
        CHECK(service.issued.empty());
    }

    TEST_CASE_FIXTURE(http_fixture, "without a token nobody is told which paths under /v1 exist")
    {
        CHECK(ask("GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n").status == 401);
        CHECK(ask("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n").status == 404);
        CHECK(ask(request("GET /v1/nothing")).status == 404);
    }
}
