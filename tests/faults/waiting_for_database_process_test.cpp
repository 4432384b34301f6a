#include "harness/service_bench.hpp"
#include "postgres/schema.hpp"

#include <doctest/doctest.h>
#include <pqxx/pqxx>

namespace waiting_for_database_test {

using namespace gapless::test;
using namespace std::chrono_literals;

constexpr auto refusal_limit =
    3s;  // the service promises about one second; the rest is for a busy machine

/// "<status> <body>" of a GET.
std::string get(service_process const& service, std::string const& target)
{
    http_client client{service.address()};
    auto const got = client.exchange({.target = target}).answer;
    return got ? std::to_string(got->status) + " " + got->body : "no answer";
}

/// An issue request that must be refused in time, as "<status> <problem> <executed>".
std::string refusal_of_issue(service_process const& service, credential const& who)
{
    history seen;
    instance_list const only{{service.address()}};
    recording_client client{seen, only, who};
    auto const tried = client.issue_once({"s", "order-4711", 1}, 0);
    CHECK(std::chrono::nanoseconds{tried.ended - tried.started} < refusal_limit);
    return std::to_string(tried.status) + " " + tried.problem + " " + tried.executed;
}

std::string issue(service_process const& service, credential const& who)
{
    history seen;
    instance_list const only{{service.address()}};
    recording_client client{seen, only, who};
    auto const tried = client.issue_once({"s", "order-4711", 1}, 0);
    return tried.ranges.empty() ? tried.problem : std::to_string(tried.ranges.front().first);
}

TEST_SUITE("faults/waiting_for_database_process")
{
    TEST_CASE_FIXTURE(
        database_bench, "without a database the service lives, is not ready and says why"
    )
    {
        auto const shop = create_token("shop");
        service_process const service{
            connection_string(url(), {{"host", "127.0.0.1"}, {"port", "1"}})};

        CHECK(get(service, "/livez").starts_with("200"));
        CHECK(get(service, "/readyz").starts_with("503"));
        CHECK(eventually([&] {
            return get(service, "/readyz").find("refused") != std::string::npos;
        }));
        CHECK(get(service, "/readyz").find("127.0.0.1") == std::string::npos);
        CHECK(refusal_of_issue(service, shop) == "503 database-unavailable no");
    }

    TEST_CASE_FIXTURE(
        database_bench,
        "a database without the schema is named, and used once it is migrated" *
            doctest::test_suite("night")
    )
    {
        run("drop schema gapless cascade");
        service_process service{url()};
        CHECK(get(service, "/livez").starts_with("200"));
        CHECK(eventually([&] {
            return get(service, "/readyz").find("gapless migrate up") != std::string::npos;
        }));
        CHECK(get(service, "/readyz").starts_with("503"));
        CHECK(refusal_of_issue(service, {"shop", "no token yet"}).starts_with("401 unauthenticated")
        );

        pqxx::connection connection{url()};
        gapless::migrate(connection);
        create_series("s", {{100, 199}});
        auto const shop = create_token("shop");
        service.wait_ready();
        CHECK(issue(service, shop) == "100");
        CHECK(service.stop() == 0);
    }
}

}  // namespace waiting_for_database_test
