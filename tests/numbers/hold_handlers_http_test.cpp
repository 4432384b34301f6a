#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace hold_handlers_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("http/hold_handlers")
{
    TEST_CASE_FIXTURE(
        http_fixture, "a hold is answered with the moment it ends, each time the same"
    )
    {
        auto const hold = [this] { return ask(issue_request("h", R"({"hold_seconds":600})")); };
        auto const first = hold();
        CHECK(first.status == 201);
        CHECK(first.body.find(R"("state":"held","count":1)") != std::string::npos);
        CHECK(first.body.ends_with(R"("issued_at":"2026-11-20T22:05:11.123456Z",)"
                                   R"("expires_at":"2026-11-20T22:15:11.123456Z"})"));
        CHECK(ask(request("GET /v1/issuances/111")).body == first.body);
        auto const again = hold();
        CHECK(again.text() == first.text());
        CHECK(again.field("idempotency-replayed") == "true");
        service.fates = {{"confirmed", 1}};
        auto const now = ask(request("GET /v1/issuances/111"));
        CHECK(now.body.find(R"("state":"issued")") != std::string::npos);
        CHECK(now.body.find("expires_at") == std::string::npos);
        CHECK(hold().body == now.body);
    }

    TEST_CASE_FIXTURE(http_fixture, "once settled in part a hold tells what may be printed")
    {
        ask(issue_request("h", R"({"count":3,"hold_seconds":600})"));
        constexpr std::int64_t first = 4'901'214'213'405'250'000;
        CHECK(ask(request("GET /v1/issuances/111")).body.find("\"hold\"") == std::string::npos);
        service.fates = {{"confirmed", 2}, {"released", 1}};
        auto const text = [&](int n) { return '"' + std::to_string(first + n) + '"'; };
        CHECK(ask(request("GET /v1/issuances/111"))
                  .body.ends_with(
                      R"(,"hold":{"held":[],"confirmed":[{"first":)" + text(0) + R"(,"last":)" +
                      text(1) + R"(}],"released":[{"first":)" + text(2) + R"(,"last":)" + text(2) +
                      R"(}],"expired":[]},"gone":[{"first":)" + text(2) + R"(,"last":)" + text(2) +
                      R"(,"count":1,"state":"released"}]})"
                  ));
    }

    TEST_CASE_FIXTURE(
        http_fixture, "a body that is nested deeply under a key is refused, whatever reads it"
    )
    {
        auto const nested = R"({"ranges":)" + std::string(400'000, '[');
        auto const closed = nested + std::string(400'000, ']') + '}';
        for (auto const& body : {nested, closed})
            for (std::string_view const act : {"confirm", "release"})
                CHECK(
                    ask("POST /v1/issuances/111/" + std::string{act}, "Idempotency-Key: k\r\n", body
                    )
                        .status == 404
                );
    }

    TEST_CASE_FIXTURE(
        http_fixture, "a repeated key shows what is left, and is refused when nothing is"
    )
    {
        auto const issue = [this](std::string_view accept = {}) {
            return ask(
                "POST /v1/series/dhl-paket/numbers",
                "Idempotency-Key: k\r\n" + std::string{accept},
                R"({"count":3,"hold_seconds":600})"
            );
        };
        auto const first = issue();
        service.fates = {{"released", 1}, {"held", 1}, {"expired", 1}};
        auto const rest = issue();
        CHECK(rest.status == 201);
        CHECK(rest.field("idempotency-replayed") == "true");
        CHECK(rest.field("location") == first.field("location"));
        CHECK(rest.body.starts_with(
            R"({"id":"111","series":"dhl-paket","state":"held","count":1,"ranges":[{"block":"1",)"
            R"("first":"4901214213405250001","last":"4901214213405250001","count":1,)"
            R"("ordinal":"2"}],)"
            R"("numbers":["4901214213405250001"])"
        ));
        CHECK(rest.body.ends_with(
            R"("gone":[{"first":"4901214213405250000","last":"4901214213405250000","count":1,)"
            R"("state":"released"},{"first":"4901214213405250002","last":"4901214213405250002",)"
            R"("count":1,"state":"expired"}]})"
        ));
        CHECK(issue("Accept: text/csv\r\n").body == "4901214213405250001\n");

        service.fates = {{"released", 3}};
        auto const nothing = issue();
        CHECK(nothing.outcome() == "409 issuance-settled");
        CHECK(
            nothing.body.find(
                R"("executed":"no","issuance":"111","gone":[{"first":"4901214213405250000",)"
                R"("last":"4901214213405250002","count":3,"state":"released"}])"
            ) != std::string::npos
        );
        auto const found = ask(request("GET /v1/issuances/111"));
        CHECK(found.status == 200);
        CHECK(
            found.body.find(R"("state":"released","count":0,"ranges":[],"numbers":[],)") !=
            std::string::npos
        );
    }

    TEST_CASE_FIXTURE(http_fixture, "a hold lasts 1 second to 366 days")
    {
        auto const hold = [this](std::string_view seconds) {
            auto const body = R"({"hold_seconds":)" + std::string{seconds} + '}';
            return ask(issue_request(seconds.starts_with('"') ? "text" : seconds, body)).outcome();
        };
        CHECK(hold("1") == "201 ");
        CHECK(hold("31622400") == "201 ");
        CHECK(service.issued.back().hold_seconds == 31'622'400);
        CHECK(hold("0") == "422 out-of-range");
        CHECK(hold("-1") == "422 out-of-range");
        CHECK(hold("31622401") == "422 out-of-range");
        CHECK(hold("\"600\"") == "400 malformed-request");
        CHECK(service.issued.size() == 2);
        CHECK(hold("null") == "201 ");
        CHECK_FALSE(service.issued.back().hold_seconds);
    }

    TEST_CASE_FIXTURE(http_fixture, "a hold is settled as a whole or by its numbers")
    {
        service.add_series("express", "dhl-express-10");
        ask("POST /v1/series/express/numbers",
            "Idempotency-Key: h\r\n",
            R"({"count":3,"hold_seconds":600})");
        auto const confirmed = ask(request("POST /v1/issuances/121/confirm"));
        CHECK(confirmed.status == 200);
        CHECK(confirmed.body.starts_with(R"({"id":"121","series":"express","state":"issued")"));
        CHECK(service.settled.back().first == settlement::confirm);
        CHECK(service.settled.back().second.empty());
        CHECK(service.actors.back() == "token:all");
        auto const released =
            ask("POST /v1/issuances/121/release",
                "",
                R"({"ranges":[{"first":"3318810025","last":"33 1881 0036"},{"last":"3318810040",)"
                R"("first":"3318810040"}]})");
        CHECK(released.status == 200);
        CHECK(released.body.find(R"("state":"released")") != std::string::npos);
        CHECK(service.settled.back().first == settlement::release);
        CHECK(
            service.settled.back().second ==
            std::vector<serial_range>{{331'881'002, 331'881'003}, {331'881'004, 331'881'004}}
        );
        CHECK(ask("POST /v1/issuances/121/release", "", "{}").status == 200);
        CHECK(service.settled.size() == 3);
        auto const settle = [this](std::string_view body) {
            return ask("POST /v1/issuances/121/confirm", "", body).outcome();
        };
        CHECK(settle(R"({"ranges":[]})") == "422 out-of-range");
        CHECK(
            settle(R"({"ranges":[{"first":"3318810024","last":"3318810024"}]})") ==
            "404 unknown-number"
        );
        CHECK(
            settle(R"({"ranges":[{"first":"3318810036","last":"3318810025"}]})") ==
            "422 out-of-range"
        );
        CHECK(settle(R"({"range":[]})") == "400 malformed-request");
        CHECK(service.settled.size() == 3);
    }
}

}  // namespace hold_handlers_test
