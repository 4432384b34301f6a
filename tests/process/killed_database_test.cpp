#include "client_crowd.hpp"
#include "support/private_cluster.hpp"

#include <doctest/doctest.h>

#include <array>
#include <charconv>

using namespace gapless::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t issued_between_kills = 100;
constexpr int clients_of_each_instance = 8;
constexpr auto recovery_limit = 10s;  // from a running database to numbers

/// A PostgreSQL that may be killed, and instances on it.
class doomed_database
{
public:
    private_cluster cluster{{"shared_buffers=32MB"}};  // small: it is set up again after each kill
    std::unique_ptr<service_bench> bench;

    doomed_database()
    {
        cluster.create_database("gapless");
        bench = std::make_unique<service_bench>(cluster.url("gapless"));
    }

    /// kill -9 of the postmaster, or of a backend; returns when PostgreSQL has recovered.
    void kill(std::string const& victim)
    {
        pqxx::connection witness{cluster.url("gapless")};
        if (victim == "postmaster")
        {
            cluster.kill_postmaster();
            cluster.start();
        }
        else
            kill_a_backend();
        REQUIRE(eventually([&] { return !answers(witness); }));
        REQUIRE(eventually([&] { return accepts_connections(); }, 60s));
    }

private:
    static bool answers(pqxx::connection& witness)
    {
        try
        {
            pqxx::nontransaction{witness}.exec("select");
            return true;
        }
        catch (pqxx::failure const&)
        {
            return false;
        }
    }

    bool accepts_connections() const
    {
        try
        {
            pqxx::connection const another{cluster.url("gapless")};
            return true;
        }
        catch (pqxx::failure const&)
        {
            return false;
        }
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
        plan.clients = clients_of_each_instance;
        plan.repeat_one_in = 10;
        client_crowd crowd{*bench, plan};

        std::array<std::string, 3> const victims{"backend", "postmaster", "backend"};
        for (std::size_t n = 0; n < scaled(victims.size()); ++n)
        {
            auto const& victim = victims[n % victims.size()];
            CAPTURE(victim);
            crowd.wait_for_more(issued_between_kills);
            kill(victim);
            auto const up = std::chrono::steady_clock::now();
            // More than can have been on their way to the clients.
            crowd.wait_for_more(2 * clients_of_each_instance + 1);
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
        // Nobody had to start the instances again, and each of them noticed something.
        for (std::size_t n = 0; n < 2; ++n)
        {
            CHECK(bench->instance(n).stop() == 0);
            auto const& log = bench->instance(n).log();
            CHECK(log.find("\"event\":\"database_lost\"") != std::string::npos);
        }
    }
}
