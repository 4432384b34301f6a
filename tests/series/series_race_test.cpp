#include "harness/issuing.hpp"
#include "postgres/connection.hpp"
#include "postgres/query.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace series_race_test {

using namespace gapless;
using test::issuing;

// The clients wait for locks as long as a person does: a service answers `overloaded` after 2 s,
// and a machine that is busy elsewhere takes that long for eight of them.

TEST_SUITE("series/series_race")
{
    TEST_CASE_FIXTURE(
        issuing,
        "clients who create series with blocks side by side are all served, none is sent off"
    )
    {
        constexpr int clients = 8;
        constexpr int series = 20;
        std::atomic<int> sent_off{0};
        std::vector<std::jthread> racing;
        for (int client = 0; client < clients; ++client)
            racing.emplace_back([&, client] {
                auto const own = open_connection(url(), connection_purpose::operation);
                for (int n = 0; n < series; ++n)
                {
                    auto const number = client * series + n;
                    auto const name = "s" + std::to_string(number);
                    auto const write = [&](transaction_policy const& how, std::string const& sql) {
                        auto const done = run_transaction(*own, how, [&](auto& transaction) {
                            execute(transaction, sql);
                            return 0;
                        });
                        sent_off += done.has_error();
                    };
                    write(
                        {.sees = isolation::read_committed},
                        "select gapless.series_create('" + name + "', '" + name +
                            "', null, 'plain', '{}', null, null, null, 'me')"
                    );
                    auto const first = std::to_string(1'000'000 + number * 100);
                    auto const last = std::to_string(1'000'099 + number * 100);
                    write(
                        {.sees = isolation::read_committed},
                        "select gapless.load_lock('" + name +
                            "', true, 'me'); select count(*) from gapless.block_warnings('" + name +
                            "', '{" + first + "}', '{" + last +
                            "}', '{null}'); select gapless.block_load('" + name + "', " + first +
                            ", " + last + ", 100, null, null, 'me')"
                    );
                }
            });
        racing.clear();
        CHECK(sent_off == 0);
        CHECK(
            run("select count(*), sum(last_serial - first_serial + 1) from gapless.block") ==
            std::to_string(clients * series) + "|" + std::to_string(clients * series * 100)
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        issuing, "a key that is sent twice at a time creates one series, and both hear of it"
    )
    {
        run("select gapless.owner_id('token:shop')");
        std::atomic<int> sent_off{0};
        std::atomic<int> repeated{0};
        constexpr int series = 20;
        std::vector<std::jthread> racing;
        for (int client = 0; client < 2; ++client)
            racing.emplace_back([&] {
                auto const own = open_connection(url(), connection_purpose::operation);
                for (int n = 0; n < series; ++n)
                {
                    auto const name = "s" + std::to_string(n);
                    auto const once = [&](auto& transaction) {
                        auto const kept = query_rows(
                            transaction,
                            "select status from gapless.answer_find(1, '" + name + R"(', '\x00'))"
                        );
                        if (row_count(kept) == 1)
                            return 1;
                        execute(
                            transaction,
                            "select gapless.series_create('" + name +
                                "', 'c', null, 'plain', '{}', null, null, null, 'me'), "
                                "gapless.answer_keep(1, '" +
                                name + R"(', '\x00', 201, null, ''))"
                        );
                        return 0;
                    };
                    auto const done =
                        run_transaction(*own, {.sees = isolation::read_committed}, once);
                    sent_off += done.has_error();
                    repeated += done.has_error() ? 0 : *done;
                }
            });
        racing.clear();
        CHECK(sent_off == 0);
        CHECK(repeated == series);
    }
}

}  // namespace series_race_test
