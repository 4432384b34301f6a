#include "harness/http_client.hpp"
#include "harness/json_value.hpp"
#include "harness/process.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

namespace block_file_test {

using namespace gapless::test;

struct table_bench : database_bench
{
    table_bench()
    {
        create_series("s", {{100, 199}});
        anna = create_token("anna", {.scopes = {"load", "read"}});
        ben = create_token("ben", {.scopes = {"load", "read", "issue"}});
    }

    http_answer ask(
        credential const& who,
        std::string method,
        std::string target,
        std::string body = {},
        std::string const& type = "text/csv",
        std::string const& accept = "application/json"
    )
    {
        if (!service)
        {
            // Numbers that SQL issued before are in no journal, and other databases share it.
            service.emplace(service_url(), std::vector<std::string>{"--no-journal"});
            service->wait_ready();
        }
        http_client client{service->address()};
        http_request wanted{
            .method = std::move(method),
            .target = std::move(target),
            .fields = {{"Authorization", "Bearer " + who.token}, {"Accept", accept}},
            .body = std::move(body)};
        if (!wanted.body.empty())
            wanted.fields.emplace_back("Content-Type", type);
        return client.exchange(wanted).answer.value_or(http_answer{});
    }

    http_answer load(std::string body, std::string const& query = "")
    {
        return ask(anna, "POST", "/v1/series/s/blocks" + query, std::move(body));
    }

    /// first…last of the blocks of the series.
    std::string blocks()
    {
        return run("select string_agg(first || '…' || last, ' ' order by position) from "
                   "gapless.block_report('s')");
    }

    std::string gapless(std::vector<std::string> words, std::string_view input) const
    {
        words.insert(words.begin(), program_path("gapless"));
        return run_program(
                   {.words = words, .environment = {{"GAPLESS_DATABASE_URL", url()}}}, input
        )
            .err;
    }

    credential anna;
    credential ben;
    std::optional<service_process> service;
};

TEST_SUITE("process/block_file")
{
    TEST_CASE_FIXTURE(table_bench, "a fault is told with line and column, in the CLI's words")
    {
        for (auto const& bytes :
             {std::string{"first;last;count\n700;709;10\n720;72x;1\n730;739;11\n"},
              std::string{"first,last\n700,709\n705,720\n"},
              std::string{"first;last\n4,9E+18;5000\n"},
              std::string{"first;last\n000700;000709\n"},
              std::string{"PK\x03\x04 workbook"},
              std::string{"first;last;valid_until\n700;709;31.12.2099\n720;729;31.12.2020\n"},
              std::string{"first,last\n150,160\n700,709\n"}})
        {
            CAPTURE(bytes);
            auto const got = load(bytes);
            auto const overlaps = bytes.find("150") != std::string::npos;
            CHECK(got.status == (overlaps ? 409 : 422));
            auto const read = json_value::parse(got.body);
            CHECK(
                read["type"] == (overlaps ? "/problems/block-overlap" : "/problems/out-of-range")
            );
            REQUIRE_FALSE(read["faults"].empty());
            std::string lines;
            for (auto const& fault : read["faults"].elements())
            {
                lines += "(standard input)";
                if (fault["line"] != 0)
                    lines += ":" + fault["line"].dump();
                if (fault["column"] != 0)
                    lines += ": column " + fault["column"].dump();
                lines += ": " + fault["what"].text() + '\n';
            }
            auto const err = gapless({"block", "load", "s", "--file", "-"}, bytes);
            CAPTURE(err);
            CHECK(err.find(lines) != std::string::npos);
        }
        auto const faults =
            json_value::parse(load("first;last;count\n700;709;10\n720;72x;1\n730;739;11\n").body
            )["faults"];
        REQUIRE(faults.size() == 2);
        CHECK(faults[0]["line"] == 3);
        CHECK(faults[0]["column"] == 2);
        CHECK(faults[1]["column"] == 3);
        CHECK(blocks() == "100…199");
    }

    TEST_CASE_FIXTURE(table_bench, "a table that would take too long is refused before it begins")
    {
        std::string bytes{"first,last\n"};
        for (int n = 0; n <= 30'000; ++n)
            bytes += std::to_string(1'000 + 2 * n) + ',' + std::to_string(1'001 + 2 * n) + '\n';
        auto const got = load(bytes);
        CHECK(got.status == 422);
        CHECK(got.body.find("30001 blocks, more than 30000") != std::string::npos);
    }

    TEST_CASE_FIXTURE(table_bench, "a table with warnings is loaded when all of them are confirmed")
    {
        std::string const bytes{"first,last\n700,799\n20000,29999\n"};
        auto const refused = load(bytes);
        CHECK(refused.status == 409);
        auto const read = json_value::parse(refused.body);
        CHECK(read["type"] == "/problems/confirmation-needed");
        REQUIRE(read["warnings"].size() == 2);
        CHECK(read["warnings"][0]["code"] == "other-length");
        CHECK(read["warnings"][1]["code"] == "other-size");
        CHECK(load(bytes, "?confirm_warnings=other-length").status == 409);
        CHECK(blocks() == "100…199");

        auto const dry = load(bytes, "?dry_run=true");
        CHECK(dry.status == 200);
        CHECK(json_value::parse(dry.body)["items"][1]["id"].is_null());
        CHECK(json_value::parse(dry.body)["items"].size() == 2);
        CHECK(json_value::parse(dry.body)["warnings"].size() == 2);
        CHECK(blocks() == "100…199");
        CHECK(load(bytes, "?confirm_warnings=other-size,other-length").status == 201);
        CHECK(blocks() == "100…199 700…799 20000…29999");
    }

    TEST_CASE_FIXTURE(table_bench, "with four eyes a table is a proposal, loaded by another person")
    {
        run("select gapless.carrier_change('s', null, true, 'boss')");
        auto const got = load("first,last\n700,709\n710,719\n", "?confirm_warnings=other-size");
        REQUIRE(got.status == 202);
        auto const read = json_value::parse(got.body);
        CHECK(read["state"] == "proposed");
        CHECK(read["blocks"].size() == 2);
        CHECK(got.field("location") == "/v1/proposals/" + read["id"].text());
        CHECK(blocks() == "100…199");
        CHECK(load("first,last\n700,70x\n").status == 422);
        auto const target = got.field("location") + "/confirm";
        CHECK(ask(anna, "POST", target).status == 403);
        CHECK(ask(ben, "POST", target).status == 201);
        CHECK(blocks() == "100…199 700…709 710…719");
    }

    TEST_CASE_FIXTURE(table_bench, "what was issued of a recalled block is listed, also as CSV")
    {
        run("select gapless.block_load('s', 500, 599, null, null, null, 'me')");
        run("select gapless.issue('s', 99, key => 'a', reference => 'order, 1')");
        run("select gapless.issue('s', 4, key => 'b', reference => 'order 2')");
        run("select gapless.block_recall(2, 'rejected', 'me')");
        auto const list = [&](std::string const& query, std::string const& accept) {
            return ask(ben, "GET", "/v1/series/s/issuances" + query, "", "", accept);
        };
        auto const items = json_value::parse(list("?block=2", "application/json").body)["items"];
        REQUIRE(items.size() == 1);
        CHECK(items[0]["first"] == "500");
        CHECK(items[0]["last"] == "502");
        auto const csv = list("?block=2", "text/csv");
        CHECK(csv.status == 200);
        CHECK(csv.field("content-type") == "text/csv; charset=utf-8");
        CHECK(csv.field("link").empty());
        CHECK(std::ranges::count(csv.body, '\n') == 4);
        CHECK(csv.body.find("\n502,502,103,2,11100,order 2,") != std::string::npos);
        CHECK(
            list("?reference=order,%201", "text/csv")
                .body.find("\n100,100,1,1,111,\"order, 1\",") != std::string::npos
        );
        CHECK(std::ranges::count(list("", "text/csv").body, '\n') == 104);

        // Page by page the same.
        std::string joined;
        std::string query{"?limit=1"};
        for (int pages = 1; !query.empty(); ++pages)
        {
            REQUIRE(pages < 6);
            auto const page = list(query, "text/csv");
            REQUIRE(page.status == 200);
            auto const heading = page.body.find('\n') + 1;
            joined += joined.empty() ? page.body : page.body.substr(heading);
            auto const link = page.field("link");
            query =
                link.empty() ? "" : link.substr(link.find('?'), link.find('>') - link.find('?'));
        }
        CHECK(joined == list("", "text/csv").body);
        for (auto const* accept : {"application/json", "text/csv"})
        {
            auto const none = list("?block=9", accept);
            CHECK(none.status == 404);
            CHECK(none.body.find("has no block 9") != std::string::npos);
        }
    }

    TEST_CASE_FIXTURE(table_bench, "a long list is whole as CSV")
    {
        run("select gapless.block_load('s', 100001, 199999, null, null, null, 'me')");
        run("select count(*) from generate_series(1, 1001) n, gapless.issue('s', 1, key => "
            "n::text)");
        auto const list = [&](std::string const& query) {
            auto const got =
                ask(ben, "GET", "/v1/series/s/issuances" + query, "", "", "text/csv").body;
            return std::ranges::count(got, '\n') - 1;
        };
        CHECK(list("") == 1'001);
        CHECK(list("?block=1") == 100);
        CHECK(list("?limit=1000") == 1'000);
    }
}

}  // namespace block_file_test
