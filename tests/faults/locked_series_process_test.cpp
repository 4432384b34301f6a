#include "harness/http_client.hpp"
#include "harness/service_bench.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <future>

using namespace gapless::test;

TEST_SUITE("faults/locked_series_process")
{
    TEST_CASE_FIXTURE(
        database_bench,
        "log and refusal name who has locked a series, the others go on" *
            doctest::test_suite("night")
    )
    {
        create_series("held", {{100, 199}});
        create_series("free", {{1'000, 1'999}});
        create_series("too", {{2'000, 2'999}});
        start_instances(1, {"--issue-time-max", "2s"});
        auto shop = client(create_token("shop"));
        CHECK(shop.issue_once({"held", "opens held", 1}, 0).status == 201);
        CHECK(shop.issue_once({"free", "opens free", 1}, 0).status == 201);

        pqxx::connection other{url() + " application_name=erp"};
        pqxx::work theirs{other};
        gapless::execute(theirs, "select gapless.issue('held', 1), gapless.issue('too', 1)");
        auto beside = client(create_token("beside"));
        auto waiting = std::async(std::launch::async, [&] {
            return beside.issue_once({"too", "waits too", 1}, 0);
        });
        auto const refused = shop.issue_once({"held", "waits", 1}, 0);
        CHECK(refused.status == 503);
        CHECK(refused.problem == "overloaded");
        CHECK(refused.executed == "no");
        CHECK(refused.detail.find("application 'erp'") != std::string::npos);
        CHECK(shop.issue_once({"free", "goes on", 1}, 0).status == 201);
        CHECK(waiting.get().detail.find("application 'erp'") != std::string::npos);

        CHECK(instance(0).logs("\"event\":\"series_locked\",\"series\":\"held\""));
        CHECK(instance(0).logs("\"application\":\"erp\""));
        http_client scraper{instance(0).address()};
        auto const told = scraper.exchange({.target = "/metrics"}).answer;
        REQUIRE(told.has_value());
        CHECK(told->body.find(R"(gapless_series_locked{)") != std::string::npos);
        CHECK(told->body.find(R"(application="erp")") != std::string::npos);

        theirs.abort();
        CHECK(shop.issue_once({"held", "waits", 1}, 0).status == 201);
        CHECK(instance(0).logs("\"event\":\"series_free_again\",\"series\":\"held\""));
        CHECK(verdict() == "gapless, clean");
    }
}
