#include "harness/http_client.hpp"
#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

namespace environment_test {

using namespace gapless::test;

/// "<status> <body>" of a GET.
std::string get(service_process const& service, std::string const& target)
{
    http_client client{service.address()};
    auto const got = client.exchange({.target = target}).answer;
    return got ? std::to_string(got->status) + " " + got->body : "no answer";
}

/// The first number, or "<status> <problem> <executed>".
std::string issue(service_process const& service, credential const& who, std::string const& key)
{
    history seen;
    instance_list const only{{service.address()}};
    recording_client client{seen, only, who};
    auto const tried = client.issue_once({"s", key, 1}, 0);
    if (!tried.ranges.empty())
        return std::to_string(tried.ranges.front().first);
    return std::to_string(tried.status) + " " + tried.problem + " " + tried.executed;
}

TEST_SUITE("faults/environment_process")
{
    TEST_CASE_FIXTURE(
        database_bench, "a service of another environment leaves the database alone, and says why"
    )
    {
        create_series("s", {{100, 199}});
        auto const shop = create_token("shop");
        run("select gapless.environment_set('production', 'me')");

        service_process const stray{url(), {"--environment", "test"}};
        auto const said = "this service is set to the environment 'test', the database belongs to "
                          "'production'";
        CHECK(eventually([&] { return get(stray, "/readyz").find(said) != std::string::npos; }));
        CHECK(get(stray, "/readyz").starts_with("503"));
        CHECK(issue(stray, shop, "a") == "503 database-unavailable no");

        service_process right{url(), {"--environment", "production"}};
        right.wait_ready();
        CHECK(issue(right, shop, "a") == "100");
        service_process any{url()};  // nobody asked for a check
        any.wait_ready();
        CHECK(issue(any, shop, "b") == "101");
        CHECK(run("select count(*) from gapless.verify()") == "0");
    }

    TEST_CASE_FIXTURE(
        database_bench,
        "a service of another environment neither reads nor loads" * doctest::test_suite("night")
    )
    {
        create_series("s", {{100, 199}});
        auto const shop = create_token("shop");
        run("select gapless.environment_set('production', 'me')");
        auto const before = run("select count(*) from gapless.audit_log");
        auto const ask = [&](service_process const& service,
                             std::string const& method,
                             std::string const& target,
                             std::string const& body) {
            http_client client{service.address()};
            http_request wanted{
                .method = method,
                .target = target,
                .fields = {{"Authorization", "Bearer " + shop.token}},
                .body = body};
            if (!body.empty())
                wanted.fields.emplace_back("Content-Type", "application/json");
            if (method == "POST")
                wanted.fields.emplace_back("Idempotency-Key", "k " + target);
            auto const got = client.exchange(wanted).answer;
            return got ? std::to_string(got->status) + ' ' + got->body : "no answer";
        };
        struct request
        {
            std::string method;
            std::string target;
            std::string body;
        };
        request const requests[] = {
            {"GET", "/v1/series", ""},
            {"GET", "/v1/series/s", ""},
            {"GET", "/v1/series/s/blocks", ""},
            {"GET", "/v1/verify/s", ""},
            {"PATCH", "/v1/series/s", R"({"paused":true})"},
            {"POST", "/v1/series/s/blocks", R"({"first":"700","last":"799"})"},
        };
        service_process const stray{url(), {"--environment", "test"}};
        for (auto const& each : requests)
        {
            CAPTURE(each.target);
            auto const refused = ask(stray, each.method, each.target, each.body);
            CHECK(refused.starts_with("503"));
            CHECK(refused.find("belongs to 'production'") != std::string::npos);
            CHECK(refused.find(R"("executed":"no")") != std::string::npos);
        }
        CHECK(run("select count(*) from gapless.audit_log") == before);
        CHECK(run("select count(*) from gapless.block") == "1");

        service_process right{url(), {"--environment", "production"}};
        right.wait_ready();
        for (auto const& each : requests)
        {
            CAPTURE(each.target);
            CHECK(ask(right, each.method, each.target, each.body).starts_with("20"));
        }
        CHECK(run("select count(*) from gapless.block") == "2");
    }

    TEST_CASE_FIXTURE(
        database_bench, "a database without a name is refused by a service that insists on one"
    )
    {
        create_series("s", {{100, 199}});
        auto const shop = create_token("shop");
        service_process careful{url(), {"--environment", "production"}};
        CHECK(eventually([&] {
            return get(careful, "/readyz").find("gapless database environment production") !=
                   std::string::npos;
        }));
        CHECK(issue(careful, shop, "a") == "503 database-unavailable no");
        auto const named = run_program(
            {.words = {program_path("gapless"), "database", "environment", "production"},
             .environment = {{"GAPLESS_DATABASE_URL", url()}}}
        );
        CHECK_MESSAGE(named.code == 0, named.err);
        careful.wait_ready();
        CHECK(issue(careful, shop, "a") == "100");
    }
}

}  // namespace environment_test
