#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace hold_handlers_test {

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("numbers/hold_handlers_http")
{
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
}

}  // namespace hold_handlers_test
