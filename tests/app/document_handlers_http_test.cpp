#include "app/document_handlers.hpp"
#include "app/embedded_documents.hpp"
#include "harness/http_fixture.hpp"
#include "http/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace document_handlers_test {

using namespace gapless;
using namespace gapless::test;

page_file const& index_file()
{
    auto const files = embedded_page();
    auto const found = std::ranges::find(files, "index.html", &page_file::path);
    REQUIRE(found != files.end());
    return *found;
}

/// The request of a browser for a path, with more header lines.
std::string get(std::string_view path, std::string_view lines = {})
{
    return "GET " + std::string{path} + " HTTP/1.1\r\nHost: a\r\n" + std::string{lines} + "\r\n";
}

TEST_SUITE("app/document_handlers_http")
{
    TEST_CASE_FIXTURE(http_fixture, "a path that is nearly one is told which")
    {
        for (auto const& [path, near] : std::initializer_list<std::array<std::string_view, 2>>{
                 {"/v1/series/", "/v1/series"},
                 {"/series/dhl", "/v1/series/dhl"},
                 {"//v1//series/dhl/", "/v1/series/dhl"},
                 {"/V1/Series/DHL", "/v1/series/DHL"},
                 {"/v1/serie/dhl/", "/v1/series/dhl"},
                 {"/api/v1/series/dhl", "/v1/series/dhl"},
                 {"/Livez/", "/livez"},
                 {"/v1/none", ""},
                 {"/v1/series/dhl/numbers/1/barcode.png", "/v1/series/dhl/numbers/1/barcode.svg"},
                 {"/v1/none//", ""},
                 {"/page/a", ""}})
        {
            CAPTURE(path);
            auto const answer = ask(get(path, "Authorization: Bearer all\r\n"));
            CHECK(answer.status == 404);
            auto const detail =
                "No such path; " + (!near.empty() ? "there is " + std::string{near} + '.'
                                    : path.ends_with("//")
                                        ? "a part between two slashes is empty, as if a variable "
                                          "was not set."
                                        : "GET /openapi.json lists all.");
            CHECK(answer.body.find('"' + detail + '"') != std::string::npos);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "every problem type has a page that says when it comes")
    {
        service.throws = true;
        for (auto n = static_cast<int>(refusal_kind::malformed_request);
             n <= static_cast<int>(refusal_kind::outcome_unknown);
             ++n)
        {
            auto const kind = static_cast<refusal_kind>(n);
            auto const answer = ask(get("/problems/" + std::string{name_of(kind)}));
            CAPTURE(name_of(kind));
            CHECK(answer.status == 200);
            CHECK(answer.field("content-type") == "text/html; charset=utf-8");
            CHECK(answer.body.find("<h1>" + std::string{title_of(kind)}) != std::string::npos);
            CHECK(answer.body.find("HTTP " + std::to_string(status_of(kind))) != std::string::npos);
            CHECK(answer.body.find("</p>\n<p><code>") != std::string::npos);
        }
        CHECK(ask(get("/problems/on")).status == 404);
        CHECK(ask(get("/problems/Refusal")).status == 404);
    }

    TEST_CASE_FIXTURE(http_fixture, "the page asks for no token and lets nothing else in")
    {
        service.throws = true;
        auto const answer = ask(get("/"));
        CHECK(answer.status == 200);
        CHECK(answer.field("content-type") == "text/html; charset=utf-8");
        CHECK(answer.field("x-content-type-options") == "nosniff");
        CHECK(
            answer.field("content-security-policy") ==
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
            "require-trusted-types-for 'script'; trusted-types 'none'"
        );
        CHECK(answer.body == index_file().text);
    }

    TEST_CASE_FIXTURE(http_fixture, "every file of the page is served with its kind")
    {
        service.throws = true;
        CHECK(embedded_page().size() > 30);
        for (auto const& file : embedded_page())
        {
            if (file.path == "index.html")
                continue;
            CAPTURE(file.path);
            auto const answer = ask(get("/page/" + std::string{file.path}));
            CHECK(answer.status == 200);
            CHECK(
                answer.field("content-type") == (file.path.ends_with(".css")
                                                     ? "text/css; charset=utf-8"
                                                     : "text/javascript; charset=utf-8")
            );
            CHECK(answer.field("cache-control") == "no-store");
            CHECK(answer.whole_body == file.text);
        }
    }

    TEST_CASE_FIXTURE(http_fixture, "a file that the page does not have is not found")
    {
        for (std::string_view const path :
             {"/page/base/none.js",
              "/page/base/main.j",
              "/page/base/main.jsx",
              "/page/index.html",
              "/page/base/",
              "/page/base/..",
              "/page/base/%2e%2e%2findex.html",
              "/page/base/../base/main.js",
              "/page/../../etc/passwd"})
        {
            CAPTURE(path);
            auto const answer = ask(get(path));
            CHECK(answer.status == 404);
            CHECK(answer.field("cache-control") == "no-store");
        }
    }

    TEST_CASE("the page loads nothing from elsewhere and makes no markup of texts")
    {
        for (auto const& file : embedded_page())
            for (std::string_view const way :
                 {"https:",
                  "@import",
                  "url(",
                  "innerHTML",
                  "outerHTML",
                  "insertAdjacentHTML",
                  "document.write",
                  "eval(",
                  "new Function",
                  "style=\"",
                  "onclick=\"",
                  "localStorage"})
            {
                CAPTURE(file.path);
                CAPTURE(way);
                CHECK(file.text.find(way) == std::string_view::npos);
            }
    }

    TEST_CASE_FIXTURE(http_fixture, "what is said of the page does not stay for other answers")
    {
        auto client = connect();
        client.send(get("/"));
        CHECK(!client.receive().field("content-security-policy").empty());
        client.send(get("/livez"));
        auto const next = client.receive();
        CHECK(next.text() == R"(200 {"status":"ok"})");
        CHECK(next.field("content-security-policy").empty());
    }
}

}  // namespace document_handlers_test
