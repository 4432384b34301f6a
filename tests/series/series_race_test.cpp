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
                auto const own = open_connection(url(), connection_purpose::service);
                for (int n = 0; n < series; ++n)
                {
                    auto const number = client * series + n;
                    auto const name = "s" + std::to_string(number);
                    auto const write = [&](std::string const& sql) {
                        auto const done = run_write(*own, [&](auto& transaction) {
                            execute(transaction, sql);
                            return 0;
                        });
                        sent_off += done.has_error();
                    };
                    write(
                        "select gapless.series_create('" + name + "', '" + name +
                        "', null, 'plain', '{}', null, null, null, 'me')"
                    );
                    auto const first = std::to_string(1'000'000 + number * 100);
                    auto const last = std::to_string(1'000'099 + number * 100);
                    write(
                        "select count(*) from gapless.block_warnings('" + name + "', '{" + first +
                        "}', '{" + last + "}', '{null}'); select gapless.block_load('" + name +
                        "', " + first + ", " + last + ", 100, null, null, 'me')"
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
}

}  // namespace series_race_test
