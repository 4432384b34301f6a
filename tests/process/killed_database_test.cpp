#include "client_crowd.hpp"
#include "support/private_cluster.hpp"

#include <doctest/doctest.h>

#include <charconv>

using namespace gapless::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t issued_between_kills = 100;
constexpr auto recovery_limit = 10s;  // from a running database to numbers

/// A PostgreSQL that may be killed, and instances on it.
struct doomed_database
{
    private_cluster cluster;
    std::unique_ptr<service_bench> bench;

    doomed_database()
    {
        cluster.create_database("gapless");
        bench = std::make_unique<service_bench>(cluster.url("gapless"));
    }

    /// kill -9 of a backend on which an instance issues: PostgreSQL takes all of them down and
    /// recovers.
    void kill_a_backend() const
    {
        pid_t id = 0;
        REQUIRE(eventually([&] {
            auto const found =
                bench->run("select coalesce(min(pid), 0) from pg_stat_activity where "
                           "application_name = 'gaplessd'"
                           " and (query like '%advisory%' or query like '%gapless.issue%')");
            std::from_chars(found.data(), found.data() + found.size(), id);
            return id > 0;
        }));
        ::kill(id, SIGKILL);
    }
};

}  // namespace

TEST_SUITE("process/killed_database")
{
    TEST_CASE_FIXTURE(doomed_database, "kill -9 of PostgreSQL under load loses and doubles nothing")
    {
        bench->create_series("hot", {{1, 9}, {100, 250}, {1'000, 999'999}});
        bench->start_instances(2);
        crowd_plan plan{
            .series = "hot",
            .tokens = {bench->create_token("shop"), bench->create_token("returns")}};
        plan.clients = 8;
        plan.repeat_one_in = 10;
        client_crowd crowd{*bench, plan};

        for (std::string const victim : {"backend", "postmaster", "backend"})
        {
            CAPTURE(victim);
            crowd.wait_for_more(issued_between_kills);
            if (victim == "postmaster")
            {
                cluster.kill_postmaster();
                cluster.start();
            }
            else
                kill_a_backend();
            auto const up = std::chrono::steady_clock::now();
            crowd.wait_for_more(1);
            CHECK(std::chrono::steady_clock::now() - up < recovery_limit);
        }
        bench->seen().mark_healed();
        crowd.wait_for_more(issued_between_kills);
        crowd.stop();

        CHECK(bench->verdict() == "gapless, clean");
        auto const& seen = bench->seen();
        MESSAGE(
            seen.count(attempt_fate::info),
            " unknown outcomes, ",
            seen.count(attempt_fate::fail),
            " refusals in ",
            seen.attempts().size(),
            " attempts"
        );
        // Nobody had to start the instances again.
        CHECK(bench->instance(0).stop() == 0);
        CHECK(bench->instance(1).stop() == 0);
    }
}
