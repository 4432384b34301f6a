#include "harness/service_bench.hpp"

#include <doctest/doctest.h>

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
    TEST_CASE_FIXTURE(limits_bench, "one token cannot drain a block, with any number of instances")
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
}

}  // namespace token_limits_test
