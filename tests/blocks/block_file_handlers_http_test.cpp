#include "harness/http_fixture.hpp"

#include <doctest/doctest.h>

namespace block_file_handlers_test {

using namespace gapless;
using namespace gapless::test;

struct file_fixture : http_fixture
{
    raw_answer load(
        std::string_view query,
        std::string_view body,
        std::string_view lines = "Content-Type: text/csv\r\n"
    )
    {
        return ask(
            "POST /v1/series/dhl-paket/blocks" + std::string{query} +
            " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer all\r\n" + std::string{lines} +
            "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string{body}
        );
    }
};

TEST_SUITE("blocks/block_file_handlers_http")
{
    TEST_CASE_FIXTURE(file_fixture, "a table of blocks is loaded, and answered as a list")
    {
        auto const answer = load("", "first,last\n1,2\n");
        CHECK(answer.status == 201);
        CHECK(answer.field("content-type") == "application/json");
        CHECK(answer.field("location") == "/v1/series/dhl-paket/blocks");
        CHECK(answer.body.starts_with(R"({"items":[{"id":"12","series":"dhl-paket","first":"1",)"));
        CHECK(answer.body.ends_with(R"(}],"warnings":[]})"));
        REQUIRE(service.block_files.size() == 1);
        CHECK(*service.block_files[0].bytes == "first,last\n1,2\n");
        CHECK(service.block_files[0].series->name == "dhl-paket");
        CHECK(service.block_files[0].confirmed.empty());
        CHECK_FALSE(service.block_files[0].dry_run);
        CHECK(service.block_drafts.empty());
    }

    TEST_CASE_FIXTURE(file_fixture, "a dry run of a table keeps nothing, not even its key")
    {
        auto const answer =
            load("?dry_run=true", "x", "Content-Type: text/csv\r\nIdempotency-Key: k\r\n");
        CHECK(answer.status == 200);
        CHECK(answer.field("location").empty());
        CHECK(answer.body.starts_with(R"({"items":[{"id":null,)"));
        CHECK(service.block_files.at(0).dry_run);
        CHECK_FALSE(service.identities.back());
    }

    TEST_CASE_FIXTURE(file_fixture, "warnings are confirmed in the query, of either body")
    {
        CHECK(load("?confirm_warnings=neighbour,much-stock", "x").status == 201);
        CHECK(
            service.block_files.at(0).confirmed ==
            std::vector<std::string>{"neighbour", "much-stock"}
        );
        CHECK(
            ask("POST /v1/series/dhl-paket/blocks?confirm_warnings=neighbour",
                "",
                R"({"first":5,"last":9,"confirm_warnings":["other-size"]})")
                .status == 201
        );
        CHECK(service.confirmed == std::vector<std::string>{"other-size", "neighbour"});
        for (std::string_view const query :
             {"?confirm_warnings=none", "?confirm_warnings=neighbour,"})
        {
            CAPTURE(query);
            CHECK(load(query, "x").status == 400);
        }
        CHECK(service.block_files.size() == 1);
    }

    TEST_CASE_FIXTURE(file_fixture, "a body that is neither JSON nor CSV is refused")
    {
        CHECK(load("", "x", "Content-Type: text/html\r\n").status == 415);
        CHECK(load("", "x", "").status == 415);
        CHECK(load("", "x", "Content-Type: text/plain; charset=utf-8\r\n").status == 201);
        CHECK(load("", "x", "Content-Type: Text/CSV; charset=windows-1252\r\n").status == 201);
    }

    TEST_CASE_FIXTURE(file_fixture, "faults of a table come one by one")
    {
        service.refuses = refusal{
            .kind = refusal_kind::out_of_range,
            .detail = "the file:2: column 2: last: 'x'",
            .faults = {{2, 2, "last: 'x'"}, {3, 0, "5 fields"}}};
        auto const answer = load("", "x");
        CHECK(answer.status == 422);
        CHECK(answer.problem() == "out-of-range");
        CHECK(
            answer.body.find(R"("faults":[{"line":2,"column":2,"what":"last: 'x'"},)"
                             R"({"line":3,"column":0,"what":"5 fields"}])") != std::string::npos
        );
    }

    TEST_CASE_FIXTURE(file_fixture, "a table is a megabyte at most")
    {
        std::string const full(1'024 * 1'024, 'x');
        CHECK(load("", full).status == 201);
        auto const refused = load("", full + "x");
        CHECK(refused.status == 413);
        CHECK(refused.body.find("larger than 1048576 bytes, the most") != std::string::npos);
    }

    TEST_CASE_FIXTURE(file_fixture, "a table that was sent as JSON is told how to come")
    {
        constexpr std::string_view json{"Content-Type: application/json\r\n"};
        auto const refused = load("", " first,last\n1,2\n", json);
        CHECK(refused.status == 400);
        CHECK(refused.body.find("A table is sent as Content-Type: text/csv.") != std::string::npos);
        CHECK(service.block_files.empty());
    }
}

}  // namespace block_file_handlers_test
