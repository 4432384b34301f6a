#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace manifest_handlers_test {

using namespace gapless;
using namespace gapless::test;

constexpr std::string_view manifests{"POST /v1/series/dhl-paket/manifests"};
constexpr std::string_view that_day{R"({"date":"2026-11-20"})"};

struct manifest_fixture : http_fixture
{
    manifest_fixture() { service.manifest = {.count = 3, .runs = {{100, 101}, {700, 700}}}; }
};

TEST_SUITE("http/manifest_handlers")
{
    TEST_CASE_FIXTURE(manifest_fixture, "a manifest is CSV for whoever asks, one number a line")
    {
        auto const closed = ask(manifests, "Accept: text/csv\r\n", that_day);
        CHECK(closed.field("content-type") == "text/csv; charset=utf-8");
        CHECK(closed.text() == "201 100\n101\n700\n");
        service.manifest = {};
        auto const empty =
            ask("GET /v1/series/dhl-paket/manifests/2026-11-20", "Accept: text/csv\r\n");
        CHECK(empty.text() == "200 ");
        CHECK(
            ask(request("GET /v1/series/dhl-paket/manifests/2026-11-20")).body ==
            R"({"series":"dhl-paket","date":"2026-11-20","count":0,"numbers":[]})"
        );
    }

    TEST_CASE_FIXTURE(manifest_fixture, "a long day is made while it is sent")
    {
        service.manifest = {.count = 100'000, .runs = {{1'000'000, 1'099'999}}};
        auto const closed = ask(manifests, "Accept: text/csv\r\n", that_day);
        CHECK(closed.status == 201);
        CHECK(std::ranges::count(closed.body, '\n') == 100'000);
        CHECK(closed.body.ends_with("1099999\n"));
    }

    TEST_CASE_FIXTURE(manifest_fixture, "what is no day is refused")
    {
        CHECK(ask(request(manifests)).outcome() == "400 malformed-request");
        for (std::string_view const day :
             {"", "today", "2026-13-01", "2026-02-29", "0000-01-01", "2026-11-20T00:00:00Z"})
        {
            CAPTURE(day);
            auto const body = R"({"date":")" + std::string{day} + R"("})";
            CHECK(ask(manifests, "", body).outcome() == "400 malformed-request");
            if (!day.empty())
                CHECK(
                    ask(request("GET /v1/series/dhl-paket/manifests/" + std::string{day}))
                        .outcome() == "404 not-found"
                );
        }
        CHECK(service.closed_days.empty());
    }
}

}  // namespace manifest_handlers_test
