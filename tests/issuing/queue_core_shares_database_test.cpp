#include "issuing/queue_core_bench.hpp"

namespace queue_core_shares_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::queue_core_bench;

constexpr auto quick = connection_kind::quick;

/// Names 1a, 1b, … of one series.
std::vector<std::string> many(std::string const& series, int n)
{
    std::vector<std::string> names;
    for (int k = 0; k < n; ++k)
        names.push_back(series + "." + std::to_string(k));
    return names;
}

TEST_SUITE("issuing/queue_core_shares_database")
{
    TEST_CASE("one series may not fill the queue for others")
    {
        queue_core_bench bench{{.requests_max = 10, .batches_in_flight_max = 1}};
        bench.leave({"9a"});
        CHECK(bench.arrive(many("1", 12)) == "1.10:overloaded 1.11:overloaded");
        CHECK(bench.arrive({"2a", "3a"}) == "");
        CHECK(bench.arrive({"1x"}) == "1x:overloaded");
        CHECK(bench.counters().refused_overloaded == 3);
    }

    TEST_CASE("the foreseen wait is that of a series, not of the queue")
    {
        queue_core_bench bench{
            {.queue_time_max = 100ms, .batches_in_flight_max = 1, .batch_requests_max = 2}};
        bench.leave({"1a"});
        bench.pass(300ms);
        bench.end(quick, batch_fate::done);  // 75 ms of late
        CHECK(bench.leave({"1b"}) == "quick:1b");
        CHECK(bench.arrive({"1c", "1d", "1e"}) == "1e:overloaded");
        CHECK(bench.arrive({"2a"}) == "");
        CHECK(bench.arrive({"2b"}) == "2b:overloaded");
    }

    TEST_CASE("a locked series takes no part of the others' wait")
    {
        queue_core_bench bench{{.requests_max = 6}};
        bench.leave({"1a"});
        bench.end(quick, batch_fate::locked);
        bench.arrive(many("1", 5));
        CHECK(bench.leave({"2a", "3a"}) == "quick:2a 3a");
        CHECK(bench.end(quick, batch_fate::done) == "=2a =3a");
    }
}

}  // namespace queue_core_shares_test
