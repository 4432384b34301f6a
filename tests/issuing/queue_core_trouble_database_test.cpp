#include "issuing/queue_core_bench.hpp"

namespace queue_core_trouble_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::queue_core_bench;

constexpr auto quick = connection_kind::quick;
constexpr auto patient = connection_kind::patient;

TEST_SUITE("issuing/queue_core_trouble_database")
{
    TEST_CASE("a locked series backs off alone, up to the most, without touching others' turns")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        CHECK(bench.end(quick, batch_fate::locked) == "");
        CHECK(bench.leave({"2a", "3a"}) == "quick:2a 3a");
        for (auto const pause : {5ms, 10ms, 20ms, 40ms, 80ms, 100ms, 100ms})
        {
            CHECK(bench.core().due() == bench.now() + pause);
            bench.pass(pause - 1ms);
            CHECK(bench.pump() == "");
            bench.pass(1ms);
            CHECK(bench.pump() == "patient:1a");
            CHECK(bench.end(patient, batch_fate::locked) == "");
        }
        CHECK(bench.end(quick, batch_fate::done) == "=2a =3a");
    }

    TEST_CASE("a wait for something else than a row makes a series keep away for longer")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        bench.pass(200ms);
        bench.end(quick, batch_fate::locked);
        CHECK(bench.core().due() == bench.now() + 800ms);
    }

    TEST_CASE("two batches that met the same lock come back in the order they came")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        bench.leave({"1b"});
        bench.end(quick, batch_fate::locked);
        bench.end(quick, batch_fate::locked);
        bench.pass(5ms);
        CHECK(bench.pump() == "patient:1a 1b");
    }

    TEST_CASE("a locked request waits its own time, and was not executed")
    {
        queue_core_bench bench{{.issue_time_max = 1s}};
        bench.leave({"1a"});
        bench.end(quick, batch_fate::locked);
        bench.pass(100ms);
        CHECK(bench.sweep() == "who-locks-1");
        CHECK(bench.core().locked() == std::vector<std::int32_t>{1});
        bench.pass(100ms);
        CHECK(bench.sweep() == "");  // asked already
        bench.pass(800ms);
        CHECK(bench.sweep() == "1a:overloaded probe-quick probe-patient");
        CHECK(bench.counters().answered_unknown == 0);
    }

    TEST_CASE("the end of a lock is told once, and the series shares batches again")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        bench.end(quick, batch_fate::locked);
        bench.pass(100ms);
        CHECK(bench.sweep() == "who-locks-1");
        CHECK(bench.core().note_blocker(1, "erp"));
        bench.pump();
        CHECK(bench.end(patient, batch_fate::done) == "=1a free-1");
        CHECK_FALSE(bench.core().note_blocker(1, "erp"));  // found out too late
        CHECK(bench.sweep() == "");
        CHECK(bench.core().locked().empty());
        CHECK(bench.leave({"1b", "2a"}) == "quick:1b 2a");
    }

    TEST_CASE("a lock of a moment is told to nobody")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        bench.end(quick, batch_fate::locked);
        bench.pass(5ms);
        bench.pump();
        CHECK(bench.sweep() == "");
        CHECK(bench.end(patient, batch_fate::done) == "=1a");
    }

    TEST_CASE("of requests that met an unexpected error together each goes apart")
    {
        queue_core_bench bench;
        batch_end const unexpected{
            .why = {refusal_kind::database_unavailable, {}}, .unexpected = true};
        bench.leave({"1a", "1b", "2a"});
        CHECK(bench.end(quick, batch_fate::failed, unexpected) == "patient:1a 1b");
        bench.arrive({"1c", "1d"});
        CHECK(bench.end(patient, batch_fate::failed, unexpected) == "patient:2a patient:1a");
        CHECK(bench.end(patient, batch_fate::done) == "patient:1b =2a");
        CHECK(bench.end(patient, batch_fate::failed, unexpected) == "1a:database-unavailable");
        CHECK(bench.end(patient, batch_fate::done) == "quick:1c 1d =1b");
        // Trouble of the database is not of one request.
        CHECK(
            bench.end(
                quick, batch_fate::failed, {.why = {refusal_kind::database_unavailable, {}}}
            ) == "1c:database-unavailable 1d:database-unavailable"
        );
    }

    TEST_CASE("uncertain stays uncertain, whatever happens on the way")
    {
        for (auto const fate : {batch_fate::locked, batch_fate::failed, batch_fate::conflict})
        {
            queue_core_bench bench{{.issue_time_max = 1s, .conflicts_max = 1}};
            bench.leave({"1a"});
            CHECK(bench.lose(quick) == "patient:1a?");
            auto text = bench.end(patient, fate);
            bench.pass(1s);
            text += bench.sweep();
            CHECK(text.starts_with("1a:outcome-unknown"));
        }
    }

    TEST_CASE("a fence refuses who waits, but nobody whose first try may have happened")
    {
        queue_core_bench bench{{.issue_time_max = 1s}};
        bench.leave({"1a"});
        bench.lose(patient);
        CHECK(bench.lose(quick) == "");
        CHECK(bench.leave({"1b"}) == "");
        CHECK(bench.refuse_all(refusal_kind::fenced) == "1b:fenced");
        bench.pass(1s);
        CHECK(bench.sweep() == "1a:outcome-unknown");
    }

    TEST_CASE("what was lost goes again in its old order")
    {
        queue_core_bench bench;
        bench.leave({"1a"});
        bench.leave({"1b"});
        CHECK(bench.lose(quick) == "patient:1a 1b?");
        bench.leave({"1c"});
        CHECK(bench.lose(patient) == "");
        bench.core().connect(quick);
        CHECK(bench.pump() == "quick:1a 1b 1c?");
    }

    TEST_CASE(
        "a batch whose requests are all answered is still dropped in time, on its connection only"
    )
    {
        queue_core_bench bench{{.issue_time_max = 1s}};
        bench.arrive({"1a"});
        bench.pass(100ms);  // it waited before it left
        bench.pump();
        bench.pass(900ms);
        CHECK(bench.leave({"2a+"}) == "patient:2a+?");
        CHECK(bench.sweep() == "1a:outcome-unknown");
        bench.pass(99ms);
        CHECK(bench.sweep() == "");
        CHECK(bench.end(patient, batch_fate::done) == "=2a+");
        CHECK(bench.leave({"2b+"}) == "patient:2b+?");
        bench.pass(1ms);
        CHECK(bench.sweep() == "drop-quick");
        CHECK(bench.lose(quick) == "");  // nobody waits for it any more
        CHECK(bench.end(patient, batch_fate::done) == "=2b+");
    }

    TEST_CASE("a request that is under way for a moment only at its deadline is not in doubt")
    {
        queue_core_bench bench{{.issue_time_max = 1s}};
        bench.arrive({"1a"});
        bench.pass(1s);
        bench.pump();
        CHECK(bench.sweep() == "probe-patient");
        bench.pass(24ms);
        CHECK(bench.sweep() == "");
        bench.pass(1ms);
        CHECK(bench.sweep() == "1a:outcome-unknown");
    }

    TEST_CASE("with a stuck connection goes the other one, unless its server was heard of late")
    {
        queue_core_bench bench{{.issue_time_max = 1s}};
        CHECK(bench.leave({"1a"}) == "quick:1a");
        bench.pass(1s);
        CHECK(bench.sweep() == "1a:outcome-unknown probe-patient drop-quick drop-patient");

        queue_core_bench waiting{{.issue_time_max = 1s}};
        CHECK(waiting.leave({"1a"}) == "quick:1a");
        waiting.pass(750ms);
        CHECK(waiting.leave({"2a+"}) == "patient:2a+?");
        waiting.pass(249ms);
        CHECK(waiting.sweep() == "");
        waiting.pass(1ms);
        CHECK(waiting.sweep() == "1a:outcome-unknown drop-quick drop-patient");
    }

    TEST_CASE("an idle connection is probed each second, and its silence is noticed")
    {
        queue_core_bench bench;
        bench.pump();
        bench.core().connect(quick);
        bench.core().connect(patient);
        bench.pass(999ms);
        CHECK(bench.sweep() == "");
        bench.pass(1ms);
        CHECK(bench.sweep() == "probe-quick probe-patient");
        bench.pass(500ms);
        bench.end_probe(quick);
        bench.end_probe(patient);
        bench.pass(999ms);
        CHECK(bench.sweep() == "");
        bench.pass(1ms);
        CHECK(bench.sweep() == "probe-quick probe-patient");
        bench.pass(999ms);
        CHECK(bench.sweep() == "");
        CHECK(bench.answers());
        CHECK_FALSE(bench.is_silent());
        bench.pass(1ms);
        CHECK_FALSE(bench.answers());
        CHECK(bench.is_silent());
        // Whoever comes now does not have to find out anew.
        CHECK(bench.leave({"1a"}) == "quick:1a");
        CHECK_FALSE(bench.answers());
        bench.end_probe(patient);  // one backend may be stopped without the server
        CHECK_FALSE(bench.is_silent());
        bench.end_probe(quick);
        CHECK(bench.answers());
        CHECK(bench.end(quick, batch_fate::done) == "=1a");
    }

    TEST_CASE("an idle connection that stays silent is dropped like a busy one")
    {
        queue_core_bench bench{{.issue_time_max = 4s}};
        bench.pump();
        bench.core().connect(quick);
        bench.core().connect(patient);
        bench.pass(1s);
        CHECK(bench.sweep() == "probe-quick probe-patient");
        bench.pass(3999ms);
        CHECK(bench.sweep() == "");
        bench.pass(1ms);
        CHECK(bench.sweep() == "drop-quick drop-patient");
        bench.lose(quick);
        bench.lose(patient);
        bench.core().connect(quick);
        CHECK(bench.answers());
    }

    TEST_CASE("a connection that answers does not speak for a COMMIT that does not end on the other"
    )
    {
        queue_core_bench bench;
        bench.pump();
        bench.core().connect(patient);
        CHECK(bench.leave({"1a"}) == "quick:1a");
        bench.pass(1s);
        CHECK(bench.sweep() == "probe-patient");
        bench.end_probe(patient);
        CHECK_FALSE(bench.answers());
        CHECK_FALSE(bench.is_silent());
    }

    TEST_CASE("while a COMMIT waits for the standby nothing answers, and who waits is told why")
    {
        queue_core_bench bench{{.issue_time_max = 1s}};
        CHECK(bench.answers());
        bench.leave({"1a"});
        bench.end(quick, batch_fate::locked);
        bench.core().note_standby(true);
        CHECK_FALSE(bench.answers());
        CHECK_FALSE(bench.is_silent());
        bench.pass(1s);
        CHECK(bench.sweep().starts_with("1a:database-unavailable"));
        bench.core().note_standby(false);
        CHECK(bench.answers());
    }

    TEST_CASE("what did not happen may be drawn, unless its key may be one of before")
    {
        queue_core_bench bench;
        bench.leave({"1a", "2a"});  // a batch of several
        bench.end(quick, batch_fate::locked);
        CHECK(bench.take_waiting(1) == "1a");
        CHECK(bench.take_waiting(2) == "2a");
        bench.leave({"3a"});
        CHECK(bench.end(quick, batch_fate::not_plain) == "patient:3a?");
        bench.end(patient, batch_fate::locked);
        CHECK(bench.take_waiting(3) == "");
        bench.arrive({"4a+", "4b*", "4c"});
        CHECK(bench.take_waiting(4) == "4c");
        bench.leave({"5a"});
        bench.lose(patient);
        bench.lose(quick);
        CHECK(bench.take_waiting(5) == "");
    }

    TEST_CASE("nothing is drawn for a key that was spent before")
    {
        for (auto const key_spent : {false, true})
        {
            queue_core_bench bench;
            batch_end const end{.key_spent = key_spent};
            bench.leave({"1a", "2a"});  // not plain as a whole, or each is locked
            bench.end(quick, batch_fate::not_plain, end);
            bench.leave({"3a+"});
            bench.arrive({"3b"});
            bench.end(patient, batch_fate::locked);
            bench.end(patient, batch_fate::locked);
            CHECK(bench.take_waiting(1) == (key_spent ? "" : "1a"));
            CHECK(bench.take_waiting(2) == (key_spent ? "" : "2a"));
        }
    }

    TEST_CASE("without a database requests are refused after a short wait")
    {
        queue_core_bench bench{{.unavailable_time_max = 100ms}};
        bench.lose(quick);
        bench.lose(patient);
        bench.leave({"1a"});
        bench.pass(99ms);
        CHECK(bench.sweep() == "");
        bench.pass(1ms);
        CHECK(bench.sweep() == "1a:database-unavailable");
    }

    TEST_CASE("at a start requests wait until the first connection stands or fails")
    {
        queue_limits const limits{.issue_time_max = 1s, .unavailable_time_max = 100ms};
        queue_core_bench bench{limits, false};
        bench.leave({"1a"});
        bench.pass(999ms);
        CHECK(bench.sweep() == "");
        bench.pass(1ms);
        CHECK(bench.sweep() == "1a:database-unavailable");

        queue_core_bench connecting{limits, false};
        connecting.leave({"1a"});
        connecting.pass(900ms);
        connecting.core().connect(quick);
        CHECK(connecting.pump() == "quick:1a");

        queue_core_bench failing{limits, false};
        failing.leave({"1a"});
        failing.lose(quick);
        failing.pass(100ms);
        CHECK(failing.sweep() == "1a:database-unavailable");
    }
}

}  // namespace queue_core_trouble_test
