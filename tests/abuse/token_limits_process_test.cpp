#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

#include <chrono>

namespace token_limits_test {

using namespace gapless::test;

/// A series, and tokens with limits.
struct limits_bench : database_bench
{
    limits_bench() { create_series("s", {{1, 100'000}}); }

    /// "201", or "<status> <problem> <executed>".
    std::string issue(recording_client& from, std::size_t n, std::string const& key, int count = 1)
    {
        auto const tried = from.issue_once({"s", key, count}, n);
        if (tried.fate == attempt_fate::ok)
            return tried.replayed ? "201 again" : "201";
        return std::to_string(tried.status) + " " + tried.problem + " " + tried.executed;
    }

    /// Issues one number at a time, by turns at every instance, until all refuse. Returns how many
    /// left.
    int drain(recording_client& from, std::size_t instances)
    {
        int left = 0;
        std::size_t refused = 0;
        while (refused < instances)
        {
            ++keys_;
            auto const got = issue(from, keys_ % instances, "drain-" + std::to_string(keys_));
            left += got == "201" ? 1 : 0;
            refused = got == "201" ? 0 : refused + 1;
            if (got != "201")
                CHECK(got == "429 too-many-requests no");
        }
        return left;
    }

private:
    std::size_t keys_{};
};

constexpr auto too_many = "429 too-many-requests no";

TEST_SUITE("abuse/token_limits_process")
{
    TEST_CASE_FIXTURE(
        limits_bench,
        "one token cannot drain a block, with any number of instances" *
            doctest::test_suite("night")
    )
    {
        start_instances(2);
        auto shop = client(create_token("shop", {.daily_quota = 300}));
        auto other = client(create_token("other"));
        CHECK(issue(shop, 0, "order-1", 5) == "201");
        auto const left = 5 + drain(shop, 2);
        CHECK(left <= 300);
        CHECK(left >= 290);

        // A new process brings no numbers back for it.
        kill_and_restart(0);
        CHECK(drain(shop, 2) + left <= 300);
        CHECK(issue(shop, 0, "order-2", 300) == too_many);
        // What it got it still gets, and others are not concerned.
        CHECK(issue(shop, 0, "order-1", 5) == "201 again");
        CHECK(issue(shop, 1, "order-1", 5) == "201 again");
        CHECK(issue(other, 0, "order-1", 1'000) == "201");
        CHECK(verdict() == "gapless, clean");
    }

    TEST_CASE_FIXTURE(limits_bench, "a rate is the token's own word, else the service's")
    {
        start_instances(1, {"--token-rate", "1", "--token-burst", "2"});
        auto const rapid = [&](recording_client& from, std::string const& name) {
            int passed = 0;
            for (int n = 0; n < 20; ++n)
            {
                auto const got = issue(from, 0, name + std::to_string(n));
                passed += got == "201" ? 1 : 0;
                if (got != "201")
                    CHECK(got == too_many);
            }
            return passed;
        };
        auto usual = client(create_token("usual"));
        auto free = client(create_token("free", {.rate = 0}));
        auto const began = std::chrono::steady_clock::now();
        auto const passed = rapid(usual, "u");
        auto const took = std::chrono::steady_clock::now() - began;
        CHECK(passed >= 2);
        CHECK(passed <= 2 + std::chrono::ceil<std::chrono::seconds>(took).count());
        CHECK(rapid(free, "f") == 20);
    }
}

}  // namespace token_limits_test
