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
    std::string issue(recording_client& from, std::string const& key)
    {
        auto const tried = from.issue_once({"s", key}, 0);
        if (tried.fate == attempt_fate::ok)
            return "201";
        return std::to_string(tried.status) + " " + tried.problem + " " + tried.executed;
    }
};

constexpr auto too_many = "429 too-many-requests no";

TEST_SUITE("abuse/token_limits_process")
{
    TEST_CASE_FIXTURE(limits_bench, "a rate is the token's own word, else the service's")
    {
        start_instances(1, {"--token-rate", "1", "--token-burst", "2"});
        auto const rapid = [&](recording_client& from, std::string const& name) {
            int passed = 0;
            for (int n = 0; n < 20; ++n)
            {
                auto const got = issue(from, name + std::to_string(n));
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
