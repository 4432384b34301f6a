#include "service_bench.hpp"
#include "support/http_client.hpp"

#include <doctest/doctest.h>

using namespace gapless::test;

namespace {

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

}  // namespace

TEST_SUITE("process/environment")
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

    TEST_CASE_FIXTURE(
        database_bench, "a request refused before it was executed is corrected under its own key"
    )
    {
        create_series("s", {{100, 199}});
        auto const shop = create_token("shop");
        service_process service{url()};
        service.wait_ready();
        http_client client{service.address()};
        auto const ask = [&](std::string const& target, std::string const& body) {
            http_request request;
            request.method = "POST";
            request.target = target;
            request.fields = {
                {"Authorization", "Bearer " + shop.token},
                {"Content-Type", "application/json"},
                {"Idempotency-Key", "order-4711"}};
            request.body = body;
            auto const got = client.exchange(request).answer;
            return got ? got->status : 0;
        };
        CHECK(ask("/v1/series/s/numbers", R"({"count":)") == 400);
        CHECK(ask("/v1/series/s/numbers", R"({"count":"two"})") == 400);
        CHECK(ask("/v1/series/s/numbers", R"({"count":0})") == 422);
        CHECK(ask("/v1/series/s/numbers", R"({"count":100001})") == 422);
        CHECK(ask("/v1/series/s/numbers", R"({"count":2,"colour":"red"})") == 400);
        CHECK(ask("/v1/series/none/numbers", R"({"count":2})") == 404);
        CHECK(ask("/v1/series/s/numbers", R"({"count":101})") == 409);  // exhausted
        CHECK(ask("/v1/series/s/numbers", R"({"count":2})") == 201);
        CHECK(ask("/v1/series/s/numbers", R"({"count":3})") == 422);  // now it is spent
        CHECK(issue(service, shop, "next") == "102");
        CHECK(run("select count(*) from gapless.verify()") == "0");
    }
}
