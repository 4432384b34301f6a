#include "harness/issuing.hpp"
#include "numbers/issuance_store.hpp"
#include "postgres/query.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

namespace race_test {

using namespace gapless;
using test::issuing;

/// Runs `work` for each of so many threads, each with its number, and waits for all.
template <class Work>
void race(int threads, Work work)
{
    std::vector<std::jthread> racing;
    for (int thread = 0; thread < threads; ++thread)
        racing.emplace_back([&work, thread] { work(thread); });
}

retry_policy const patient{.attempts_max = 1000, .pause_max = std::chrono::milliseconds{5}};

/// gapless.issue in a transaction of that isolation, tried again after 40001: the numbers, or the
/// refusal.
std::string issue_once(
    pqxx::connection& connection,
    std::string const& isolation,
    std::string const& series,
    int count,
    std::string const& key
)
{
    for (;;)
    {
        auto const outcome = test::run(
            connection,
            "set transaction isolation level " + isolation +
                "; select number from gapless.issue('" + series + "', " + std::to_string(count) +
                ", '" + key + "')"
        );
        if (outcome != "40001" && outcome != "40P01")
            return outcome;
    }
}

std::vector<test::block_ends> tiny_blocks(int numbers)
{
    std::vector<test::block_ends> blocks;
    int const sizes[] = {1, 2, 3, 1, 1, 7};
    for (int n = 0, first = 1000; numbers > 0; ++n, first += 10)
    {
        auto const size = std::min(numbers, sizes[n % 6]);
        blocks.push_back({first, first + size - 1});
        numbers -= size;
    }
    return blocks;
}

TEST_SUITE("issuing/issue_race")
{
    TEST_CASE_FIXTURE(issuing, "clients racing across tiny blocks leave neither gap nor double")
    {
        constexpr int threads = 4;
        constexpr int issues = 22;
        create_series("s", tiny_blocks(threads * issues * 2));
        std::string const isolations[] = {"read committed", "repeatable read", "serializable"};
        std::atomic<int> wrong{0};

        race(threads, [&](int thread) {
            pqxx::connection own{url()};
            for (int n = 0; n < issues; ++n)
            {
                auto const count = 1 + n % 3;
                auto const key = std::to_string(thread) + "/" + std::to_string(n);
                auto const& isolation = isolations[(n + thread) % 3];
                auto const first = issue_once(own, isolation, "s", count, key);
                auto const again = issue_once(own, isolation, "s", count, key);
                if (first != again || std::count(first.begin(), first.end(), ' ') != count - 1)
                    ++wrong;
            }
        });

        CHECK(wrong == 0);
        CHECK(verify() == "gapless");
        // 7 times 1, 2 and 3 and a 1 more for each thread
        CHECK(run("select next_ordinal - 1 from gapless.counter") == std::to_string(threads * 43));
        CHECK(
            run("select sum(count), count(distinct key) from gapless.ledger") ==
            std::to_string(threads * 43) + "|" + std::to_string(threads * issues)
        );
    }

    TEST_CASE_FIXTURE(issuing, "serializable transactions that retry lose nothing either")
    {
        constexpr int threads = 4;
        constexpr int issues = 15;
        create_series("s", tiny_blocks(threads * issues));
        std::atomic<int> refused{0};

        race(threads, [&](int thread) {
            pqxx::connection own{url()};
            for (int n = 0; n < issues; ++n)
            {
                auto const key = std::to_string(thread) + "/" + std::to_string(n);
                auto const outcome =
                    run_serializable(own, patient, [&](pqxx::transaction_base& transaction) {
                        return gapless::issue_numbers(transaction, "s", 1, key, std::nullopt);
                    });
                if (outcome.has_error())
                    ++refused;
            }
        });

        CHECK(refused == 0);
        CHECK(verify() == "gapless");
        CHECK(run("select remaining from gapless.series_report('s')") == "0");
    }

    TEST_CASE_FIXTURE(
        issuing, "of clients racing for the last numbers exactly as many win as there are numbers"
    )
    {
        constexpr int threads = 6;
        for (int left = 0; left < threads; ++left)
        {
            CAPTURE(left);
            auto const series = "s" + std::to_string(left);
            create_series(
                series,
                left == 0 ? std::vector<test::block_ends>{}
                          : std::vector<test::block_ends>{{left * 10, left * 11 - 1}}
            );
            std::atomic<int> winners{0};
            std::atomic<int> losers{0};

            race(threads, [&](int thread) {
                pqxx::connection own{url()};
                auto const outcome = issue_once(
                    own,
                    thread % 2 == 0 ? "read committed" : "serializable",
                    series,
                    1,
                    series + std::to_string(thread)
                );
                ++(outcome == "refused: series-exhausted" ? losers : winners);
            });

            CHECK(winners == left);
            CHECK(losers == threads - left);
        }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        issuing, "one key asked by many at once leaves once, and all get the same numbers"
    )
    {
        create_series("s", tiny_blocks(100));
        for (int n = 0; n < 6; ++n)
        {
            std::mutex lock;
            std::set<std::string> answers;
            race(4, [&](int thread) {
                pqxx::connection own{url()};
                auto const outcome = issue_once(
                    own,
                    thread % 2 == 0 ? "read committed" : "serializable",
                    "s",
                    3,
                    "key " + std::to_string(n)
                );
                std::lock_guard const guard{lock};
                answers.insert(outcome);
            });
            CHECK(answers.size() == 1);
        }
        CHECK(run("select sum(count) from gapless.ledger") == "18");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "blocks loaded, moved and closed during the race harm nobody")
    {
        create_series("s", {{1000, 1004}});
        std::atomic<bool> done{false};

        std::jthread operating{[&] {
            pqxx::connection own{url()};
            for (int n = 1; !done; ++n)
            {
                auto const first = std::to_string(1000 + n * 10);
                test::run(
                    own,
                    "select gapless.block_load('s', " + first + ", " + first +
                        " + 4, null, null, null, 'test')"
                );
                if (n % 5 == 0)
                    test::run(
                        own,
                        "select gapless.block_move(max(block_id), min(block_id), 'test') from "
                        "gapless.block where state = 'queued'"
                    );
                if (n % 7 == 0)
                    test::run(
                        own,
                        "select gapless.block_close(min(block_id), 'test', 'test') from "
                        "gapless.block where state in ('queued', 'open')"
                    );
            }
        }};
        race(3, [&](int thread) {
            pqxx::connection own{url()};
            for (int n = 0; n < 40; ++n)
            {
                auto const key = std::to_string(thread) + "/" + std::to_string(n);
                while (issue_once(
                           own, n % 2 == 0 ? "read committed" : "serializable", "s", 2, key
                       ) == "refused: series-exhausted")
                    ;
            }
        });
        done = true;
        operating.join();

        CHECK(run("select sum(count), count(distinct key) from gapless.ledger") == "240|120");
        CHECK(verify() == "gapless");
    }
}

}  // namespace race_test
