#include "harness/clerk_fixture.hpp"

#include <doctest/doctest.h>

#include <future>

using namespace gapless::test;

TEST_SUITE("series/many_series_process")
{
    TEST_CASE_FIXTURE(
        clerk_bench,
        "eight clients who create series and load blocks at once get no 503" *
            doctest::test_suite("night")
    )
    {
        constexpr int clients = 8;
        constexpr int series = 6;
        std::vector<std::future<std::string>> asked;
        for (int client = 0; client < clients; ++client)
            asked.push_back(std::async(std::launch::async, [this, client] {
                std::string refused;
                for (int n = client * series; n < (client + 1) * series; ++n)
                {
                    auto const name = "n" + std::to_string(n);
                    json_value const created{{"name", name}, {"carrier", "c" + name}};
                    auto const first = 4901214218000000000 + n * 1'000;
                    json_value const block{
                        {"first", std::to_string(first)}, {"last", std::to_string(first + 999)}};
                    for (auto const& [target, body] :
                         {std::pair{std::string{"/v1/series"}, created},
                          std::pair{"/v1/series/" + name + "/blocks", block}})
                        if (auto const got = ask("POST", target, boss, body.dump());
                            got.status != 201)
                            refused += outcome(got) + ' ';
                }
                return refused;
            }));
        for (auto& each : asked)
            CHECK(each.get() == "");
        CHECK(verify() == "gapless");
    }
}
