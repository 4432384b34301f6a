#include "issuing/queue_core_bench.hpp"

namespace queue_core_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::queue_core_bench;

constexpr auto quick = connection_kind::quick;
constexpr auto patient = connection_kind::patient;

/// Names 1a, 1b, … of one series.
std::vector<std::string> many(std::string const& series, int n)
{
    std::vector<std::string> names;
    for (int k = 0; k < n; ++k)
        names.push_back(series + "." + std::to_string(k));
    return names;
}

TEST_SUITE("issuing/queue_core_database")
{
    TEST_CASE("a lone request leaves at once, and series share a batch in the order of their turns")
    {
        queue_core_bench bench;
        CHECK(bench.leave({"1a"}) == "quick:1a");
        CHECK(bench.end(quick, batch_fate::done) == "=1a");
        CHECK(bench.leave({"3a", "1b", "3b", "2a"}) == "quick:3a 3b 1b 2a");
    }

    TEST_CASE("the next batch leaves when as many wait as are under way, two at most")
    {
        queue_core_bench bench;
        CHECK(bench.leave({"1a", "1b", "1c"}) == "quick:1a 1b 1c");
        CHECK(bench.leave({"1d", "1e"}) == "");
        CHECK(bench.leave({"1f"}) == "quick:1d 1e 1f");
        CHECK(bench.leave(many("1", 20)) == "");
        CHECK(bench.end(quick, batch_fate::done).starts_with("quick:1.0 1.1"));
    }

    TEST_CASE("what cannot share a batch leaves on the patient connection, the others go on")
    {
        queue_core_bench bench;
        CHECK(bench.leave({"1a", "2a+", "3a"}) == "quick:1a 3a patient:2a+?");
        CHECK(bench.leave({"4a"}) == "");
        CHECK(bench.end(quick, batch_fate::done) == "quick:4a =1a =3a");
    }

    TEST_CASE("a series has its batches on one connection at a time")
    {
        queue_core_bench bench;
        CHECK(bench.leave({"1a"}) == "quick:1a");
        CHECK(bench.leave({"1b+", "2a"}) == "quick:2a");
        CHECK(bench.end(quick, batch_fate::done) == "patient:1b+? =1a");
        CHECK(bench.leave({"1c"}) == "");
        CHECK(bench.end(patient, batch_fate::done) == "quick:1c =1b+");
    }

    TEST_CASE("what is not plain goes again with its keys looked up")
    {
        queue_core_bench bench;
        bench.leave({"1a", "1b"});
        CHECK(bench.end(quick, batch_fate::not_plain) == "patient:1a 1b?");
        CHECK(bench.end(patient, batch_fate::done, {.replayed = true}) == "=1a =1b");
        CHECK(bench.leave({"1c"}) == "patient:1c?");  // while keys come again
    }

    TEST_CASE("series that were left out of a batch go alone, the others are answered")
    {
        queue_core_bench bench;
        bench.leave({"1a", "2a", "3a"});
        CHECK(bench.end(quick, batch_fate::done, {.left_out = {2}}) == "patient:2a? =1a =3a");
    }

    TEST_CASE("a full batch of one series is followed by those with less waiting")
    {
        queue_core_bench bench{{.batches_in_flight_max = 1, .batch_requests_max = 4}};
        bench.arrive(many("1", 12));
        bench.arrive(many("2", 12));
        bench.arrive({"3a", "4a"});
        CHECK(bench.pump() == "quick:1.0 1.1 1.2 1.3");
        CHECK(bench.end(quick, batch_fate::done).starts_with("quick:3a 4a 2.0 2.1 "));
    }

    TEST_CASE("conflicts pause their own series only, and end after some")
    {
        queue_core_bench bench{{.conflicts_max = 2}};
        bench.leave({"1a"});
        CHECK(bench.end(quick, batch_fate::conflict) == "");
        CHECK(bench.leave({"2a"}) == "quick:2a");
        CHECK(bench.core().due() == bench.now() + 1ms);
        bench.pass(1ms);
        CHECK(bench.pump() == "quick:1a");
        CHECK(bench.end(quick, batch_fate::done) == "=2a");
        CHECK(bench.end(quick, batch_fate::conflict) == "1a:database-unavailable");
        CHECK(bench.counters().conflicts == 2);
    }

    TEST_CASE("a conflict of several series is looked for in each alone")
    {
        queue_core_bench bench;
        bench.leave({"1a", "2a"});
        bench.end(quick, batch_fate::conflict);
        bench.pass(1ms);
        CHECK(bench.pump() == "patient:1a patient:2a");
    }

    TEST_CASE("where another instance issues the series is locked first, for ten seconds")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        CHECK(bench.end(quick, batch_fate::conflict, {.contested = true}) == "patient:1a!");
        bench.end(patient, batch_fate::done);
        CHECK(bench.leave({"1b", "2a"}) == "quick:2a patient:1b!");
        bench.end(patient, batch_fate::done);
        bench.end(quick, batch_fate::done);
        bench.pass(10s);
        CHECK(bench.leave({"1c"}) == "quick:1c");
    }

    TEST_CASE("a courtesy that nobody gives back is given up for a minute, for that series")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        bench.end(quick, batch_fate::conflict, {.contested = true});
        bench.end(patient, batch_fate::done, {.lock_timed_out = true});
        CHECK(bench.leave({"1b"}) == "patient:1b~");
        bench.end(patient, batch_fate::done);
        bench.pass(60s);
        CHECK(bench.leave({"1c"}) == "quick:1c");
    }

    TEST_CASE("while one connection is down the other takes everything")
    {
        queue_core_bench bench;
        bench.lose(patient);
        CHECK(bench.leave({"1a+"}) == "quick:1a+?");
        bench.end(quick, batch_fate::done);
        bench.lose(quick);
        CHECK(bench.leave({"1b"}) == "");
        bench.core().connect(patient);
        CHECK(bench.pump() == "patient:1b");
    }
}

}  // namespace queue_core_test
