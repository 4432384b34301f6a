#include "base/moment.hpp"
#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace invoice_handlers_test {

using namespace gapless;
using namespace gapless::test;

struct invoice_fixture : http_fixture
{
    raw_answer reconcile(
        std::string_view query,
        std::string_view body,
        std::string_view lines = "Content-Type: text/csv\r\n"
    )
    {
        return ask(
            "POST /v1/series/dhl-paket/reconcile" + std::string{query} +
            " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer all\r\n" + std::string{lines} +
            "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string{body}
        );
    }
};

TEST_SUITE("invoices/invoice_handlers_http")
{
    TEST_CASE_FIXTURE(invoice_fixture, "column and period are taken from the query")
    {
        CHECK(
            reconcile(
                "?column=G%C3%BCltige%20Nr&amount_column=7&from=2026-11-01&to=30.11.2026", "1"
            )
                .status == 200
        );
        auto const& wants = service.invoices.at(0).wants;
        CHECK(wants.columns.number == "Gültige Nr");
        CHECK(wants.columns.amount == "7");
        CHECK(wants.issued.from.value().text == "2026-11-01");
        CHECK(wants.issued.to.value().text == "2026-11-30");
        CHECK(reconcile("?from=soon", "1").status == 400);
        CHECK(reconcile("?colum=1", "1").status == 400);
        CHECK(service.invoices.size() == 1);
    }

    TEST_CASE_FIXTURE(invoice_fixture, "CSV is given to those who ask for it, and taken alone")
    {
        auto const csv =
            reconcile("", "1", "Accept: text/csv\r\nContent-Type: Text/CSV; charset=x\r\n");
        CHECK(csv.field("content-type") == "text/csv; charset=utf-8");
        CHECK(service.invoices.at(0).csv);
        CHECK_FALSE(service.invoices.at(0).style.excel);
        reconcile("?excel=en", "1", "Accept: text/csv\r\nContent-Type: text/csv\r\n");
        CHECK(service.invoices.at(1).style.excel == excel_language::en);
        CHECK(reconcile("?excel=fr", "1").status == 422);
        CHECK(reconcile("", "1", "Content-Type: application/json\r\n").status == 415);
        CHECK(reconcile("", "1", "").status == 415);
        CHECK(
            reconcile("", "1", "Content-Type: text/csv\r\nIdempotency-Key: \"\r\n").status == 400
        );
        CHECK(service.invoices.size() == 2);
    }

    TEST_CASE_FIXTURE(invoice_fixture, "an invoice has up to 16 MiB")
    {
        std::string body(16 * 1'024 * 1'024, '1');
        CHECK(reconcile("", body).status == 200);
        CHECK(service.invoices.at(0).bytes->size() == body.size());
        auto client = connect();
        client.send(request(
            "POST /v1/series/dhl-paket/reconcile",
            "Content-Type: text/csv\r\nContent-Length: 16777217\r\n"
        ));
        CHECK(client.receive().status == 413);
    }

    TEST_CASE("few long invoices are received at the same time")
    {
        http_limits limits;
        limits.invoices_max = 1;
        http_fixture here{limits};
        auto const head = http_fixture::request(
            "POST /v1/series/dhl-paket/reconcile",
            "Content-Type: text/csv\r\nContent-Length: 1048577\r\n"
        );
        auto first = here.connect();
        first.send(head);
        first.send("1");
        CHECK(here.ask(http_fixture::request("GET /v1/series")).status == 200);
        auto const second = here.ask(head);
        CHECK(second.status == 503);
        CHECK(second.body.find(R"("executed":"no")") != std::string::npos);
        auto const short_one = here.ask(
            http_fixture::request(
                "POST /v1/series/dhl-paket/reconcile",
                "Content-Type: text/csv\r\nContent-Length: 1\r\n"
            ) +
            "1"
        );
        CHECK(short_one.status == 200);
        first.send(std::string(1'048'576, '1'));
        CHECK(first.receive().status == 200);
        CHECK(here.ask(head + std::string(1'048'577, '1')).status == 200);
    }
}

}  // namespace invoice_handlers_test
