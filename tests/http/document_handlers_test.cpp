#include "http/document_handlers.hpp"
#include "http/embedded_documents.hpp"
#include "http/http_fixture.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("http/document_handlers")
{
    TEST_CASE_FIXTURE(http_fixture, "the OpenAPI document asks for no token")
    {
        service.throws = true;
        auto const answer = ask("GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n");
        CHECK(answer.status == 200);
        CHECK(answer.field("content-type") == "application/json");
        CHECK(answer.field("content-security-policy").empty());
        CHECK(answer.body == embedded_openapi());
    }

    TEST_CASE_FIXTURE(http_fixture, "the dashboard asks for no token and is not kept by caches")
    {
        service.throws = true;
        auto const answer = ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        CHECK(answer.status == 200);
        CHECK(answer.field("content-type") == "text/html; charset=utf-8");
        CHECK(answer.field("cache-control") == "no-store");
        CHECK(answer.field("x-content-type-options") == "nosniff");
        CHECK(answer.field("content-security-policy") == to_security_policy(embedded_dashboard()));
        CHECK(answer.body == embedded_dashboard());
    }

    TEST_CASE("a policy allows the script and the style of the page by their hashes")
    {
        // printf abc | openssl dgst -sha256 -binary | base64
        auto const policy = to_security_policy("<style></style><script>abc</script>");
        CHECK(
            policy == "default-src 'none'; "
                      "script-src 'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='; "
                      "style-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='; "
                      "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
                      "frame-ancestors 'none'"
        );
    }

    TEST_CASE("the dashboard loads nothing from elsewhere")
    {
        auto const page = embedded_dashboard();
        for (std::string_view const way :
             {"http:", "https:", "src=", "@import", "url(", "innerHTML", "style=\"", "onclick"})
        {
            CAPTURE(way);
            CHECK(page.find(way) == std::string_view::npos);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "the policy of the dashboard does not stay for other answers")
    {
        auto client = connect();
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        CHECK(!client.receive().field("content-security-policy").empty());
        client.send("GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
        auto const next = client.receive();
        CHECK(next.text() == R"(200 {"status":"ok"})");
        CHECK(next.field("content-security-policy").empty());
    }
}
