#include "client_crowd.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace gapless::test;
using namespace std::chrono_literals;

namespace {

constexpr std::size_t kills = 6;
constexpr std::uint64_t issued_between_kills = 150;
constexpr std::size_t stops = 3;
constexpr auto stop_limit = 10s;

/// Keys that were sent and never answered, while the ledger has numbers under them.
std::size_t executed_without_answer(service_bench const& bench, history const& seen)
{
    std::size_t lost = 0;
    for (auto const& tried : seen.attempts())
        if (tried.fate == attempt_fate::info &&
            bench.run("select count(*) from gapless.ledger where key = '" + tried.key + "'") != "0")
            ++lost;
    return lost;
}

}  // namespace

TEST_SUITE("process/killed_service")
{
    TEST_CASE_FIXTURE(database_bench, "kill -9 of an instance under load loses and doubles nothing")
    {
        create_series("hot", {{1, 9}, {100, 250}, {1'000, 999'999}});
        start_instances(2);
        crowd_plan plan{.series = "hot", .tokens = {create_token("shop"), create_token("returns")}};
        plan.repeat_one_in = 10;
        client_crowd crowd{*this, plan};
        for (std::size_t n = 0; n < scaled(kills); ++n)
        {
            crowd.wait_for_more(issued_between_kills);
            kill_and_restart(n % 2);
        }
        seen().mark_healed();
        crowd.wait_for_more(issued_between_kills);
        crowd.stop();

        CHECK(verdict() == "gapless, clean");
        // A run whose kills hit nothing shows nothing.
        MESSAGE(
            seen().count(attempt_fate::info),
            " unknown outcomes in ",
            seen().attempts().size(),
            " attempts"
        );
        CHECK(seen().count(attempt_fate::info) >= kills);
    }

    TEST_CASE_FIXTURE(
        database_bench, "SIGTERM under load: what was accepted is answered, and the exit code is 0"
    )
    {
        create_series("hot", {{1'000, 999'999}});
        auto const shop = create_token("shop");
        for (std::size_t n = 0; n < scaled(stops); ++n)
        {
            service_process service{url()};
            service.wait_ready();
            instance_list const only{{service.address()}};
            std::atomic<bool> gone{};
            std::atomic<int> issued{};
            std::vector<std::thread> clients;
            for (std::uint64_t number = 0; number < 16; ++number)
                clients.emplace_back([&, seed = n * 100 + number] {
                    recording_client client{seen(), only, shop};
                    for (std::mt19937_64 dice{seed}; !gone; ++issued)
                    {
                        auto const done = client.issue_once({"hot", make_key(dice), 2}, 0);
                        gone = gone || (done.fate == attempt_fate::fail && done.status == 0);
                    }
                });
            CHECK(eventually([&] { return issued > 200; }));
            CHECK(service.stop(stop_limit) == 0);
            gone = true;
            for (auto& client : clients)
                client.join();
            CHECK(service.log().find("\"event\":\"stopped\"") != std::string::npos);
        }

        auto const said_unknown = [](attempt const& tried) { return tried.executed == "unknown"; };
        CHECK(std::ranges::count_if(seen().attempts(), said_unknown) == 0);
        MESSAGE(
            seen().count(attempt_fate::info),
            " requests without an answer: closed before they were read"
        );
        CHECK(executed_without_answer(*this, seen()) == 0);
        CHECK(verdict() == "gapless, clean");
    }
}
