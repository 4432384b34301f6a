#include "issuing/queue_bench.hpp"
#include "postgres/query.hpp"

namespace issue_queue_trouble_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::commit_holder;
using test::queue_bench;

/// When a request that cannot be served is to end; one that can be is served before, also on a busy
/// machine.
constexpr auto soon = 2'000ms;

TEST_SUITE("issuing/issue_queue_trouble_database")
{
    TEST_CASE_FIXTURE(queue_bench, "a connection lost before COMMIT is resolved through the keys")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        commit_holder holder{*this};
        auto const first = submit({"a", 3});
        run_ready();
        auto const second = submit({"b"});

        run("select pg_terminate_backend(" + blocked_backend() + ")");
        holder.release();
        CHECK(outcome(first) == "101-103");
        CHECK(outcome(second) == "104-104");
        CHECK(counters().unknown_batches >= 1);
        CHECK(counters().answered_unknown == 0);
        CHECK(issue({{"a", 3}, {"b"}}) == "again 101-103, again 104-104");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "a connection lost at COMMIT is resolved through the keys")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        commit_holder holder{*this};
        auto const asked = submit({"a", 3});

        run("select pg_terminate_backend(" + blocked_backend() + ")");
        run_until([&] { return counters().unknown_batches == 1; });
        CHECK_FALSE(has_outcome(asked));
        holder.release();
        CHECK(outcome(asked) == "101-103");
        CHECK(issue({{"a", 3}}) == "again 101-103");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        queue_bench, "numbers that were committed after we had gone are found under their key"
    )
    {
        begin({{100, 199}}, {.issue_time_max = soon});
        issue({{"opens the block"}});
        commit_holder holder{*this};

        CHECK(issue({{"a", 3}}) == "refused: outcome-unknown");
        run_until([&] { return counters().unknown_batches >= 1 && queue().whole(); });
        CHECK(run("select count(*) from gapless.ledger") == "1");
        holder.release();
        run_until([&] { return run("select count(*) from gapless.ledger") == "2"; });
        CHECK(issue({{"a", 3}}) == "again 101-103");
        CHECK(issue({{"b"}}) == "104-104");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        queue_bench, "a lock of the series that nobody gives back delays once, and does not stop"
    )
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        pqxx::connection other{url()};
        pqxx::nontransaction stuck{other};
        execute(stuck, "select pg_advisory_lock(28263, " + std::to_string(series_id()) + ")");

        auto const asked = submit({"a", 3});
        CHECK(!blocked_backend().empty());  // it met the lock, and now waits for it
        CHECK(counters().conflicts == 1);
        CHECK(outcome(asked) == "101-103");
        CHECK(issue({{"b"}}) == "104-104");
        auto const began = std::chrono::steady_clock::now();
        for (auto const& wanted : test::single_wishes("c", 20))
            issue({wanted});
        CHECK(std::chrono::steady_clock::now() - began < 2s);  // not 20 times the wait for a lock
        CHECK(counters().conflicts == 1);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        queue_bench, "at its deadline a request under way ends as unknown, and its key tells"
    )
    {
        begin({{100, 199}}, {.issue_time_max = soon});
        issue({{"opens the block"}});
        commit_holder holder{*this};

        auto const asked = submit({"a", 3});
        CHECK(outcome(asked) == "refused: outcome-unknown");
        CHECK(counters().answered_unknown == 1);
        // While the COMMIT is held nobody can know; the same key must not get a second set of
        // numbers afterwards.
        run_until([&] { return counters().unknown_batches == 1 && queue().whole(); });
        holder.release();

        std::string got;
        run_until([&] {
            got = issue({{"a", 3}});
            return got.find("refused") == std::string::npos;
        });
        CHECK((got == "101-103" || got == "again 101-103"));
        CHECK(issue({{"a", 3}, {"b"}}) == "again 101-103, 104-104");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "a warning at COMMIT is no success: the key is asked again")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        run("create function warn_at_commit() returns trigger language plpgsql as"
            " $$ begin raise warning 'canceling wait for synchronous replication'; return null; "
            "end $$;"
            "create constraint trigger warns after insert on gapless.ledger"
            " deferrable initially deferred for each row execute function warn_at_commit()");

        // The numbers are in the ledger, but only the replay, which does not warn, may say so.
        // Whether this request had spent the key itself is not known.
        CHECK(issue({{"a", 3}}) == "again? 101-103");
        CHECK(counters().unknown_batches == 1);
        CHECK(issue({{"a", 3}}) == "again 101-103");
        run("drop trigger warns on gapless.ledger");
        CHECK(issue({{"b"}}) == "104-104");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "a failure at COMMIT, after the rows came, gives no numbers")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        run("create function fail_at_commit() returns trigger language plpgsql as"
            " $$ begin raise exception 'no room' using errcode = '53100'; end $$;"
            "create constraint trigger fails after insert on gapless.ledger"
            " deferrable initially deferred for each row execute function fail_at_commit()");

        CHECK(
            issue({{"a", 3}, {"b"}}) ==
            "refused: database-unavailable, refused: database-unavailable"
        );
        run("drop trigger fails on gapless.ledger");
        CHECK(issue({{"b"}, {"a", 3}}) == "101-101, 102-104");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "an error that one request provokes refuses that request alone")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        run("create function fail() returns trigger language plpgsql as"
            " $$ begin raise exception 'a bug' using errcode = '22003'; end $$;"
            "create trigger fails after insert on gapless.ledger for each row"
            " when (new.reference = 'bad') execute function fail()");
        CHECK(
            issue({{"a"}, {.key = "b", .reference = "bad"}, {"c", 2}}) ==
            "101-101, refused: database-unavailable, 102-103"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "a series that somebody holds is issued from afterwards")
    {
        begin({{100, 199}});
        issue({{"opens the block"}});
        pqxx::connection other{url()};
        std::optional<pqxx::work> theirs{std::in_place, other};
        execute(*theirs, "select * from gapless.issue('s', 2, key => 'theirs')");
        auto const asked = submit({"a", 3});
        run_until([&] { return !queue().locked().empty(); });
        CHECK_FALSE(has_outcome(asked));

        theirs->commit();
        CHECK(outcome(asked) == "103-105");
        CHECK(counters().unknown_batches == 0);
        run_until([&] { return queue().locked().empty(); });
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        queue_bench, "after too many conflicts a request is given up and was not executed"
    )
    {
        begin({{100, 199}}, {.conflicts_max = 2});
        issue({{"opens the block"}});
        run("create function always_in_conflict() returns trigger language plpgsql as"
            " $$ begin raise exception 'in conflict' using errcode = '40001'; end $$;"
            "create trigger conflicts after insert on gapless.ledger"
            " for each statement execute function always_in_conflict()");
        CHECK(issue({{"a", 3}}) == "refused: database-unavailable");
        CHECK(counters().conflicts == 2);
        run("drop trigger conflicts on gapless.ledger");
        CHECK(issue({{"b"}, {"a", 3}}) == "101-101, 102-104");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_bench, "stopping tells everybody who still waits")
    {
        begin({{100, 199}}, {.batches_in_flight_max = 1});
        issue({{"opens the block"}});
        commit_holder holder{*this};
        auto const under_way = submit({"a"});
        run_ready();
        auto const waiting = submit({"b"});

        queue().stop();
        CHECK(outcome(under_way) == "refused: outcome-unknown");
        CHECK(outcome(waiting).starts_with("refused: "));
        auto const late = submit({"c"});
        CHECK(outcome(late) == "refused: overloaded");
    }
}

}  // namespace issue_queue_trouble_test
