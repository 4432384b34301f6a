#include "harness/private_server.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <sstream>

namespace frozen_database_test {

using namespace gapless::test;
using namespace std::chrono_literals;

/// A PostgreSQL whose processes stop answering, and go on when they are told to.
struct frozen_database : private_server
{
    std::vector<pid_t> frozen;

    ~frozen_database() { thaw(); }

    /// The service's backends and, so that there are no new ones, the postmaster.
    void freeze()
    {
        auto const pids = bench->run("select string_agg(pid::text, ' ') from pg_stat_activity "
                                     "where application_name = 'gaplessd'");
        std::istringstream words{pids};
        for (pid_t id{}; words >> id;)
            frozen.push_back(id);
        frozen.push_back(cluster.postmaster());
        for (auto const id : frozen)
            REQUIRE(::kill(id, SIGSTOP) == 0);
    }

    void thaw()
    {
        for (auto const id : frozen)
            ::kill(id, SIGCONT);
        frozen.clear();
    }
};

struct timed_answer
{
    std::string text;  // "<status> <body>"
    std::chrono::steady_clock::duration took{};
};

timed_answer ask(service_process const& service, std::string const& target, credential const& who)
{
    auto const begun = std::chrono::steady_clock::now();
    http_client client{service.address()};
    http_request request;
    request.target = target;
    request.fields = {{"Authorization", "Bearer " + who.token}};
    auto const got = client.exchange(request).answer;
    return {
        got ? std::to_string(got->status) + " " + got->body : std::string{"none"},
        std::chrono::steady_clock::now() - begun};
}

/// Sends a request and goes, without waiting for the answer.
void ask_and_go(service_process const& service, http_request const& request)
{
    http_client client{service.address()};
    REQUIRE(client.connect());
    REQUIRE(client.send(client.to_bytes(request)));
    client.close();
}

TEST_SUITE("faults/frozen_database_process")
{
    TEST_CASE_FIXTURE(
        frozen_database,
        "with a frozen database everybody is answered in time, and gone clients go" *
            doctest::test_suite("night")
    )
    {
        service_process service{bench->url(), {"--token-life", "5s"}};
        service.wait_ready();
        CHECK(ask(service, "/v1/series", shop).text.starts_with("200 "));

        freeze();
        http_request read;
        read.target = "/v1/series";
        read.fields = {{"Authorization", "Bearer " + shop.token}};
        auto issue = read;
        issue.method = "POST";
        issue.target = "/v1/series/s/numbers";
        issue.fields.emplace_back("Content-Type", "application/json");
        issue.body = "{}";
        for (int n = 0; n < 30; ++n)
        {
            ask_and_go(service, read);
            auto keyed = issue;
            keyed.fields.emplace_back("Idempotency-Key", "order-" + std::to_string(n));
            ask_and_go(service, keyed);
        }

        auto slowest = 0s + std::chrono::steady_clock::duration{};
        CHECK(eventually([&] {
            auto const told = ask(service, "/readyz", shop);
            slowest = std::max(slowest, told.took);
            return told.text.starts_with(R"(503 {"status":"stale")");
        }));
        CHECK(slowest < 1s);
        auto const refused = ask(service, "/v1/series", shop);
        CAPTURE(refused.text);
        CHECK(refused.text.starts_with("503 "));
        CHECK(refused.text.find(R"("executed":"no")") != std::string::npos);
        CHECK(refused.took < 10s);
        // This look is the one connection that is left.
        CHECK(eventually([&] {
            return ask(service, "/metrics", shop).text.find("\ngapless_http_connections 1\n") !=
                   std::string::npos;
        }));
        auto const line = run_program(
            {.words = {program_path("gapless"), "series", "list"},
             .environment = {{"GAPLESS_DATABASE_URL", bench->url()}}}
        );
        CHECK(line.code == 7);

        thaw();
        service.wait_ready();
        CHECK(eventually([&] { return ask(service, "/v1/series", shop).text.starts_with("200 "); })
        );
        CHECK(bench->run("select count(*) from gapless.verify()") == "0");
        CHECK(service.stop() == 0);
    }

    TEST_CASE_FIXTURE(
        frozen_database,
        "a service ends in time although a look-up hangs" * doctest::test_suite("night")
    )
    {
        service_process service{bench->url(), {"--stop-time-max", "1s"}};
        service.wait_ready();
        CHECK(ask(service, "/v1/series", shop).text.starts_with("200 "));
        freeze();
        http_client hanging{service.address()};
        http_request read;
        read.target = "/v1/series";
        read.fields = {{"Authorization", "Bearer " + shop.token}};
        REQUIRE(hanging.connect());
        REQUIRE(hanging.send(hanging.to_bytes(read)));
        auto const begun = std::chrono::steady_clock::now();
        CHECK(service.stop() == 0);
        CHECK(std::chrono::steady_clock::now() - begun < 8s);
        CHECK(service.log().find("\"event\":\"stopped\"") != std::string::npos);
    }
}

}  // namespace frozen_database_test
