#include "issuing/queue_core_bench.hpp"

namespace queue_core_lanes_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::queue_core_bench;

constexpr auto quick = connection_kind::quick;
constexpr auto patient = connection_kind::patient;

/// Who goes alone, who moves to the other connection, who is not taken at all.
TEST_SUITE("issuing/queue_core_connections_database")
{
    TEST_CASE("a hold does not share a batch with other series")
    {
        queue_core_bench bench;
        CHECK(bench.leave({"1a", "2a*", "3a"}) == "quick:1a 3a patient:2a*");
    }

    TEST_CASE("one connection takes what had its turn on the other when that was lost")
    {
        queue_core_bench bench{{.batches_in_flight_max = 1}};
        bench.leave({"1a"});
        CHECK(bench.leave({"3a"}) == "");
        CHECK(bench.lose(quick) == "patient:3a");
        CHECK(bench.end(patient, batch_fate::done) == "patient:1a? =3a");
    }

    TEST_CASE("on the connection that is left, special series still go alone")
    {
        queue_core_bench bench;
        bench.lose(quick);
        CHECK(bench.leave({"1a+", "2a", "3a"}) == "patient:1a+? patient:2a 3a");
    }

    TEST_CASE("several series that are not plain together go alone, not looked up yet")
    {
        queue_core_bench bench;
        bench.leave({"1a", "2a"});
        CHECK(bench.end(quick, batch_fate::not_plain) == "patient:1a patient:2a");
    }

    TEST_CASE("a failure of several series is looked for in each alone")
    {
        queue_core_bench bench;
        bench.leave({"1a", "2a"});
        refusal const why{refusal_kind::database_unavailable, "the disk is full"};
        CHECK(bench.end(quick, batch_fate::failed, {.why = why}) == "patient:1a patient:2a");
        CHECK(bench.end(patient, batch_fate::failed, {.why = why}) == "1a:database-unavailable");
        CHECK(bench.end(patient, batch_fate::done) == "=2a");
    }

    TEST_CASE("what is in doubt waits its whole time for a database")
    {
        queue_core_bench bench{{.issue_time_max = 1s, .unavailable_time_max = 100ms}};
        bench.leave({"1a"});
        bench.lose(patient);
        bench.lose(quick);
        bench.arrive({"2a"});
        bench.pass(999ms);
        CHECK(bench.sweep() == "2a:database-unavailable");
        bench.pass(1ms);
        CHECK(bench.sweep() == "1a:outcome-unknown");
    }

    TEST_CASE("a series that rests is not counted among those that may leave")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        bench.arrive({"1b"});
        CHECK(bench.end(quick, batch_fate::locked) == "");
        CHECK(bench.leave({"2a", "2b", "2c"}) == "quick:2a 2b 2c");
        CHECK(bench.leave({"3a"}) == "");  // two of series 1 wait, too, but cannot leave
        CHECK(bench.leave({"3b", "3c"}) == "quick:3a 3b 3c");
    }

    TEST_CASE("a queue that was stopped takes nothing")
    {
        queue_core_bench bench;
        bench.arrive({"1a"});
        queue_actions actions;
        bench.core().stop(bench.now(), actions);
        CHECK(bench.to_text(actions) == "1a:overloaded");
        CHECK(bench.leave({"1b"}) == "1b:overloaded");
    }
}

}  // namespace queue_core_lanes_test
