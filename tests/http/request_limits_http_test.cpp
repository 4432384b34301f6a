#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace request_limits_test {

using namespace gapless;
using namespace gapless::test;

/// A request whose target has exactly `bytes` bytes.
std::string with_target_of(std::size_t bytes)
{
    return "GET /" + std::string(bytes - 1, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

/// A request whose head has exactly `bytes` bytes.
std::string with_head_of(std::size_t bytes)
{
    std::string const begin{"GET /livez HTTP/1.1\r\nHost: localhost\r\nX: "};
    return begin + std::string(bytes - begin.size() - 4, 'x') + "\r\n\r\n";
}

/// A request with exactly `count` fields.
std::string with_fields(std::size_t count)
{
    std::string request{"GET /livez HTTP/1.1\r\nHost: localhost\r\n"};
    for (std::size_t n = 1; n < count; ++n)
        request += "X: y\r\n";
    return request + "\r\n";
}

/// A body of JSON with exactly `bytes` bytes.
std::string spaced(std::string_view json, std::size_t bytes)
{
    return std::string{json} + std::string(bytes - json.size(), ' ');
}

TEST_SUITE("http/request_limits")
{
    TEST_CASE_FIXTURE(http_fixture, "a target may have 2048 bytes and not one more")
    {
        CHECK(ask(with_target_of(2'048)).status == 404);
        auto const answer = ask(with_target_of(2'049));
        CHECK(answer.status == 414);
        CHECK(answer.problem() == "too-large");
        CHECK(answer.field("connection") == "close");
        CHECK(ask("GET /" + std::string(9'000, 'a')).status == 414);
    }

    TEST_CASE_FIXTURE(http_fixture, "a header may have 8192 bytes and not one more")
    {
        CHECK(ask(with_head_of(8'192)).status == 200);
        auto const answer = ask(with_head_of(8'193));
        CHECK(answer.status == 431);
        CHECK(answer.problem() == "too-large");
        CHECK(answer.field("connection") == "close");
        CHECK(ask("GET /livez HTTP/1.1\r\nX: " + std::string(100'000, 'x')).status == 431);
    }

    TEST_CASE_FIXTURE(http_fixture, "a header may have 64 fields and not one more")
    {
        CHECK(ask(with_fields(64)).status == 200);
        CHECK(ask(with_fields(65)).status == 431);
    }

    TEST_CASE_FIXTURE(http_fixture, "a body may have 16 KiB and not one byte more")
    {
        auto const fits = spaced("{}", 16 * 1'024);
        CHECK(ask(issue_request("k1", fits)).status == 201);
        auto const answer = ask(issue_request("k2", fits + ' '));
        CHECK(answer.status == 413);
        CHECK(answer.problem() == "too-large");
        CHECK(answer.field("connection") == "close");
        CHECK(service.issued.size() == 1);
    }

    TEST_CASE_FIXTURE(http_fixture, "a body of blocks may have 1 MiB and not one byte more")
    {
        auto const fits = spaced(R"({"first":"1","last":"2"})", 1'024 * 1'024);
        CHECK(ask("POST /v1/series/dhl-paket/blocks", "", fits).status == 201);
        CHECK(ask("POST /v1/series/dhl-paket/blocks", "", fits + ' ').status == 413);
    }

    TEST_CASE_FIXTURE(http_fixture, "a client that is refused is not asked for a long body")
    {
        auto client = connect();
        client.send("POST /v1/series/dhl-paket/blocks HTTP/1.1\r\nHost: localhost\r\n"
                    "Authorization: Bearer nobody\r\nContent-Length: 1000000\r\n\r\n");
        auto const answer = client.receive();
        CHECK(answer.status == 401);
        CHECK(answer.field("connection") == "close");
    }

    TEST_CASE_FIXTURE(
        http_fixture, "a short body of a refused request is read and the connection stays"
    )
    {
        auto client = connect();
        client.send("POST /v1/series/dhl-paket/numbers HTTP/1.1\r\nHost: "
                    "localhost\r\nContent-Length: 2\r\n\r\n");
        client.send("{}GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
        CHECK(client.receive().status == 401);
        CHECK(client.receive().status == 200);
    }
}

}  // namespace request_limits_test
