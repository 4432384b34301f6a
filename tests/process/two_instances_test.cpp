#include "client_crowd.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>

using namespace gapless::test;

namespace {

constexpr std::uint64_t requests_of_each_client = 30;
constexpr int clients_of_each_instance = 16;
constexpr int races = 8;
constexpr std::size_t racers = 32;
constexpr std::int64_t remaining_kept = 250;  // the loader lets the series run nearly dry
constexpr std::array<std::int64_t, 5> block_sizes{1, 2, 3, 10, 100};

/// Loads blocks of all sizes over HTTP as they are needed, and reads the series in between.
class loader
{
public:
    loader(database_bench& bench, credential const& who)
        : client_{bench.client(who)},
          thread_{[this, &bench] { run(bench); }}
    {
    }

    ~loader()
    {
        stopping_ = true;
        thread_.join();
    }

    std::size_t loaded() const noexcept { return loaded_; }

private:
    void run(database_bench& bench)
    {
        std::mt19937_64 dice{7};
        // Nobody starts before somebody was turned away: exhaustion is part of every run.
        auto const turned_away = [&] {
            return bench.seen().count(attempt_fate::fail) > 0 || stopping_;
        };
        eventually(turned_away);
        for (std::int64_t first = 1'000; !stopping_;)
        {
            auto const seen = client_.read_issued("hot", loaded_ % 2);
            if (seen.fate != attempt_fate::ok || numbers_ - seen.issued > remaining_kept)
                continue;
            auto const size = block_sizes[dice() % block_sizes.size()];
            if (!client_.load_block("hot", first, first + size - 1, loaded_ % 2))
                continue;
            first += size + static_cast<std::int64_t>(dice() % 2);
            numbers_ += size;
            ++loaded_;
        }
    }

    recording_client client_;
    std::atomic<bool> stopping_{};
    std::atomic<std::size_t> loaded_{};
    std::int64_t numbers_{};
    std::thread thread_;
};

}  // namespace

TEST_SUITE("process/two_instances")
{
    TEST_CASE_FIXTURE(
        database_bench, "two instances, many clients, tiny blocks: gapless and in order"
    )
    {
        create_series("hot", {});
        start_instances(2);
        auto const shop = create_token("shop");
        crowd_plan plan{.series = "hot", .tokens = {shop, create_token("returns")}};
        plan.clients = clients_of_each_instance;
        plan.requests = static_cast<int>(scaled(requests_of_each_client));
        plan.contiguous_one_in = 20;
        plan.repeat_one_in = 10;
        plan.reuse_one_in = 50;
        {
            loader loading{*this, shop};
            client_crowd crowd{*this, plan};
            crowd.finish();
            CHECK(loading.loaded() > 100);
            CHECK(crowd.issued() > scaled(requests_of_each_client) * clients_of_each_instance);
        }

        CHECK(verdict() == "gapless, clean");
        auto const count = [&](auto const& condition) {
            return std::ranges::count_if(seen().attempts(), condition);
        };
        CHECK(count([](attempt const& a) { return a.problem == "series-exhausted"; }) > 0);
        CHECK(count([](attempt const& a) { return a.problem == "idempotency-key-reused"; }) > 0);
        CHECK(count([](attempt const& a) { return a.replayed; }) > 0);
        CHECK(count([](attempt const& a) { return a.ranges.size() > 1; }) > 0);
        CHECK(count([](attempt const& a) { return a.fate == attempt_fate::info; }) == 0);
    }

    TEST_CASE_FIXTURE(database_bench, "of many clients exactly as many win as numbers are left")
    {
        start_instances(2);
        auto const shop = create_token("shop");
        std::mt19937_64 dice{5};
        for (std::uint64_t n = 0; n < scaled(races); ++n)
        {
            auto const series = "race-" + std::to_string(n);
            auto const left = static_cast<std::int64_t>(dice() % racers);
            create_series(series, {{1'000, 1'000 + left}});
            CHECK(client(shop).issue_once({series, make_key(dice), 1}, 0).status == 201);

            std::atomic<int> won{};
            std::atomic<int> lost{};
            std::vector<std::thread> clients;
            for (std::size_t racer = 0; racer < racers; ++racer)
                clients.emplace_back([&, racer, key = make_key(dice)] {
                    auto const done =
                        client(shop).issue_until_definite({series, key, 1}, racer % 2, true);
                    ++(done.fate == attempt_fate::ok ? won : lost);
                });
            for (auto& racer : clients)
                racer.join();
            CHECK(won == left);
            CHECK(lost == static_cast<int>(racers) - left);
        }
        CHECK(verdict() == "gapless, clean");
    }
}
