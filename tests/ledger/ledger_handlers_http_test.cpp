#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace ledger_handlers_test {

using namespace gapless;
using namespace gapless::test;

struct ledger_fixture : http_fixture
{
    ledger_fixture()
    {
        for (int n = 0; n < 3; ++n)
            service.ledger.push_back(
                {.issuance = {.series_id = 1, .turn = 0, .ordinal = 1 + 2 * n},
                 .range = {.block_id = 1, .count = 2, .serial = 10 + 2 * n, .ordinal = 1 + 2 * n},
                 .reference = "r",
                 .issued_at = {},
                 .epoch = 1}
            );
    }

    raw_answer page(std::string_view query = {})
    {
        return ask(request("GET /v1/series/dhl-paket/issuances" + std::string{query}));
    }
};

TEST_SUITE("ledger/ledger_handlers_http")
{
    TEST_CASE_FIXTURE(ledger_fixture, "the ledger is read in pages that lead to the next one")
    {
        auto const all = page();
        CHECK(all.body.starts_with(
            R"({"items":[{"id":"111","series":"dhl-paket","issuance":"111","block":"1",)"
            R"("first":"10","last":"11","count":2,"ordinal":"1","reference":"r",)"
            R"("issued_at":"1970-01-01T00:00:00.000000Z",)"
            R"("epoch":"1"},{)"
        ));
        CHECK(all.body.ends_with(R"(],"next":null})"));
        CHECK(all.field("link").empty());
        CHECK(service.pages.back().limit == 100);

        auto const first = page("?limit=2&reference=a%20%26b&to=2026-12-31");
        CHECK(first.body.ends_with(R"(],"next":"4"})"));
        CHECK(
            first.field("link") ==
            "</v1/series/dhl-paket/issuances?after=4&limit=2&reference=a%20%26b&to=2026-12-31>; "
            "rel=\"next\""
        );
        CHECK(service.pages.back().reference == "a &b");
        CHECK(page("?limit=2").body.ends_with(R"(],"next":"4"})"));
        auto const last = page("?limit=2&after=4");
        CHECK(last.body.ends_with(R"(],"next":null})"));
        CHECK(page("?after=6").text() == R"(200 {"items":[],"next":null})");
    }

    TEST_CASE_FIXTURE(ledger_fixture, "rows between two numbers take both, in order, of the series")
    {
        auto const between = [&](std::string const& query) {
            return page("?" + query).text().substr(0, 3);
        };
        CHECK(between("first_number=1%200&last_number=12") == "200");
        CHECK(service.pages.back().serials == serial_range{10, 12});
        CHECK(between("first_number=12") == "400");
        CHECK(between("last_number=12") == "400");
        CHECK(between("first_number=12&last_number=10") == "422");
        CHECK(between("first_number=x&last_number=10") == "404");
        service.add_series("express", "dhl-express-10");
        auto const completed = ask(request(
            "GET /v1/series/express/issuances?first_number=331881003&last_number=3318810095",
            "Accept-Language: de\r\n"
        ));
        CHECK(service.pages.back().serials == serial_range{331881003, 331881009});
        CHECK(completed.body.ends_with(
            R"(,"next":null,"completed":"'331881003' ist 3318810036 ohne Prüfziffer."})"
        ));
        CHECK(
            page("?limit=1&first_number=10&last_number=12").field("link") ==
            "</v1/series/dhl-paket/issuances?after=2&limit=1&first_number=10&last_number=12>; "
            "rel=\"next\""
        );
    }

    TEST_CASE_FIXTURE(ledger_fixture, "CSV has all numbers, or those of a page and where to go on")
    {
        auto const csv = [this](std::string_view query) {
            return ask(request(
                "GET /v1/series/dhl-paket/issuances" + std::string{query}, "Accept: text/csv\r\n"
            ));
        };
        auto const all = csv("?block=7&from=1.11.2026");
        CHECK(all.field("content-type") == "text/csv; charset=utf-8");
        CHECK(all.text() == "200 " + service.listed.csv);
        CHECK(all.field("link").empty());
        REQUIRE(service.number_lists.size() == 1);
        CHECK(service.number_lists[0].whole);
        CHECK(service.number_lists[0].series->name == "dhl-paket");
        CHECK(service.number_lists[0].page.block_id == 7);
        CHECK(service.number_lists[0].page.issued.from == first_moment{"2026-11-01"});
        CHECK_FALSE(service.number_lists[0].style.excel);
        service.listed.next = 12;
        auto const page = csv("?limit=2&after=9&block=7&excel=de");
        CHECK(service.number_lists.back().style.excel == excel_language::de);
        CHECK_FALSE(service.number_lists.back().whole);
        CHECK(service.number_lists.back().page.limit == 2);
        CHECK(service.number_lists.back().page.after == 9);
        CHECK(
            page.field("link") ==
            "</v1/series/dhl-paket/issuances?after=12&limit=2&block=7&excel=de>; rel=\"next\""
        );
        CHECK(service.pages.empty());
    }
}

}  // namespace ledger_handlers_test
