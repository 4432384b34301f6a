#include "harness/http_client.hpp"
#include "harness/private_server.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace unsafe_server_test {

using namespace gapless::test;

/// A server whose settings may be changed, and a service on it.
struct unsafe_server : private_server
{
    static std::string get(service_process const& service, std::string const& target)
    {
        http_client client{service.address()};
        auto const got = client.exchange({.target = target}).answer;
        return got ? std::to_string(got->status) + " " + got->body : "no answer";
    }

    static bool says(service_process const& service, std::string const& target, std::string what)
    {
        return get(service, target).find(what) != std::string::npos;
    }

    /// The first number, or "<status> <problem> <executed>".
    std::string issue(service_process const& service, std::string const& key) const
    {
        history seen;
        instance_list const only{{service.address()}};
        recording_client client{seen, only, shop};
        auto const tried = client.issue_once({"s", key, 1}, 0);
        if (!tried.ranges.empty())
            return std::to_string(tried.ranges.front().first);
        return std::to_string(tried.status) + " " + tried.problem + " " + tried.executed;
    }
};

TEST_SUITE("faults/unsafe_server_process")
{
    TEST_CASE_FIXTURE(
        unsafe_server,
        "a server that can lose numbers in a crash issues none, unless accepted" *
            doctest::test_suite("night")
    )
    {
        service_process careful{bench->url()};
        careful.wait_ready();
        CHECK(issue(careful, "a") == "100");
        CHECK(eventually([&] {
            return says(careful, "/metrics", R"(gapless_database_warning{check="fsync"} 0)");
        }));

        set("fsync", "off");
        CHECK(eventually([&] { return get(careful, "/readyz").starts_with("503"); }));
        CHECK(says(careful, "/readyz", R"("safe":false,"accept_risk":false,"detail":"fsync is off)")
        );
        service_process started_later{bench->url()};
        CHECK(eventually([&] { return says(started_later, "/readyz", "set fsync = on"); }));
        CHECK(issue(started_later, "b") == "503 database-unavailable no");
        CHECK(eventually([&] { return issue(careful, "b") == "503 database-unavailable no"; }));
        CHECK(eventually([&] {
            return says(careful, "/metrics", R"(gapless_database_warning{check="fsync"} 1)");
        }));

        service_process bold{bench->url(), {"--accept-risk"}};
        bold.wait_ready();
        CHECK(says(bold, "/readyz", R"("safe":true,"accept_risk":true)"));
        CHECK(says(bold, "/readyz", R"({"check":"fsync","severity":"risk","value":"off")"));
        auto const taken = issue(bold, "c");
        CHECK((taken == "101" || taken == "102"));

        set("fsync", "on");
        careful.wait_ready();
        CHECK(issue(careful, "a") == "100");
        CHECK(careful.stop() == 0);
        auto const warned = R"("event":"database_warning","check":"fsync","severity":"risk")";
        auto const first = careful.log().find(warned);
        CHECK(first != std::string::npos);
        CHECK(careful.log().find(warned, first + 1) == std::string::npos);  // once
        CHECK(bench->run("select count(*) from gapless.verify()") == "0");
    }

    // Each transaction then warns, as one does whose wait for the standby was cut short.
    TEST_CASE_FIXTURE(
        unsafe_server,
        "a server whose transaction ids are nearly used up issues" * doctest::test_suite("night")
    )
    {
        set("autovacuum", "off");
        cluster.stop();
        auto const aged = run_program(
            {.words =
                 {"/bin/bash",
                  "-ec",
                  "cd \"$1\"; as=(); [[ $(id -u) != 0 ]] || as=(runuser -u \"$(stat -c %U .)\" "
                  "--)\n"
                  "\"${as[@]}\" \"$GAPLESS_PG_BIN/pg_resetwal\" -x 2117484000 \"$1\"\n"
                  "\"${as[@]}\" dd if=/dev/zero of=pg_xact/07E3 bs=262144 count=1",
                  "bash",
                  cluster.data()}}
        );
        REQUIRE_MESSAGE(aged.code == 0, aged.err);
        cluster.start();
        // Soon PostgreSQL vacuums by itself, as it has to, and the warnings end.
        pqxx::connection aged_server{bench->url()};
        CHECK(
            gapless::test::run(
                aged_server, "select max(age(datfrozenxid)) > 2000000000 from pg_database"
            ) == "t"
        );
        service_process service{bench->url()};
        service.wait_ready();
        CHECK(issue(service, "a") == "100");
        CHECK(issue(service, "b") == "101");
        CHECK(run("select count(*) from gapless.verify()") == "0");
    }
}

}  // namespace unsafe_server_test
