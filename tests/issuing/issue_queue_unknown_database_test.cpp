#include "issuing/journal.hpp"
#include "issuing/queue_bench.hpp"
#include "postgres/query.hpp"

namespace issue_queue_unknown_test {

using namespace gapless;
using namespace std::chrono_literals;
using test::commit_holder;
using test::queue_bench;

/// A queue whose first COMMIT loses its connection, so that nobody knows; what comes next fails in
/// another way.
struct unknown : queue_bench
{
    /// The series has an open block, and `error` (an SQLSTATE) is what every COMMIT but the first
    /// ends with.
    void begin_and_fail(std::string const& error, queue_limits const& limits)
    {
        begin({{100, 199}}, limits);
        run("select gapless.issue('s')");
        run("create sequence public.commits; "
            "create function public.fail() returns trigger language plpgsql as $$ begin "
            "if nextval('public.commits') = 1 then perform pg_terminate_backend(pg_backend_pid()); "
            "perform pg_sleep(60); end if; raise exception 'made up' using errcode = '" +
            error +
            "'; end $$; create constraint trigger fails after insert on gapless.ledger "
            "deferrable initially deferred for each row execute function public.fail()");
    }

    /// Nothing is in the way any more; the key tells what became of a request for three.
    void check_its_key_tells(std::string const& key)
    {
        run("drop trigger if exists fails on gapless.ledger");
        std::string got;
        run_until([&] {
            got = issue({{key, 3}});
            return got.find("refused") == std::string::npos;
        });
        CHECK(got == "101-103");
        CHECK(verify() == "gapless");
    }
};

/// A request whose first try may have happened is never told that nothing did, whatever its second
/// try comes to.
TEST_SUITE("issuing/issue_queue_unknown_database")
{
    TEST_CASE_FIXTURE(unknown, "a full disk after a first try in doubt leaves it unknown")
    {
        begin_and_fail("53100", {});
        CHECK(issue({{"a", 3}}) == "refused: outcome-unknown");
        CHECK(counters().unknown_batches == 1);
        CHECK(counters().answered_unknown == 1);
        check_its_key_tells("a");
    }

    TEST_CASE_FIXTURE(unknown, "too many conflicts after a first try in doubt leave it unknown")
    {
        begin_and_fail("40001", {.issue_time_max = 3s, .conflicts_max = 8});
        CHECK(issue({{"a", 3}}) == "refused: outcome-unknown");
        CHECK(counters().unknown_batches == 1);
        CHECK(counters().conflicts >= 8);
        check_its_key_tells("a");
    }

    TEST_CASE_FIXTURE(
        unknown, "a fence after a first try in doubt leaves it unknown and refuses the others"
    )
    {
        begin({{100, 199}}, {.issue_time_max = 3s});
        run("select gapless.issue('s')");
        commit_holder holder{*this};
        auto const in_doubt = submit({"a", 3});
        blocked_backend();
        // Without the counters, which the batch has locked: new connections are told.
        run("insert into gapless.fence (epoch, raised_by, reason) values (1, 'me', 'a journal')");
        run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = "
            "'gaplessd' and datname = current_database()");
        run_until([&] { return queue().fenced(); });
        CHECK(issue({{"b"}}) == "refused: fenced");
        CHECK_FALSE(has_outcome(in_doubt));
        CHECK(outcome(in_doubt) == "refused: outcome-unknown");
        CHECK(counters().answered_unknown == 1);
    }

    TEST_CASE_FIXTURE(queue_bench, "a batch in a deadlock is sent again")
    {
        begin({{100, 199}});
        run("select gapless.issue('s'); create sequence public.tries; "
            "create function public.deadlock() returns trigger language plpgsql as $$ begin if "
            "nextval('public.tries') <= 3 then raise exception 'made up' using errcode = '40P01'; "
            "end if; return null; end $$; create trigger deadlocks after insert on gapless.ledger "
            "for each statement execute function public.deadlock()");
        CHECK(issue({{"a", 3}}) == "101-103");
        CHECK(counters().conflicts == 3);
        CHECK(counters().unknown_batches == 0);
    }

    TEST_CASE_FIXTURE(queue_bench, "what cannot be noted outside the database is not answered")
    {
        auto works = true;
        watch({.remember = [&](series_mark const&) {
            if (!works)
                throw journal_failure{"made up"};
        }});
        begin({{100, 199}}, {.unavailable_time_max = 10s});  // connections begin anew below
        issue({{"opens the block"}});
        works = false;
        CHECK(issue({{"a", 3}}) == "refused: outcome-unknown");
        works = true;
        run_until([&] { return queue().whole(); });
        CHECK(issue({{"a", 3}}) == "again 101-103");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        queue_bench, "a batch that has ended is not ended again when its unlock is lost"
    )
    {
        set_series_id(create_series("s", {{100, 199}}));
        run("select gapless.issue('s')");
        // In place of PostgreSQL's: the lock is given back, and then nothing more is heard.
        run("create schema mute; create function mute.pg_advisory_unlock_all() returns void "
            "language plpgsql set lock_timeout = 0 as $$ begin perform "
            "pg_catalog.pg_advisory_unlock_all(); perform pg_advisory_xact_lock_shared(42); end "
            "$$; alter database " +
            name() + " set search_path = mute, pg_catalog");
        begin_at(url(), {});
        run_until([&] { return queue().whole(); });
        pqxx::connection another{url()};
        pqxx::nontransaction instance{another};
        execute(instance, "select pg_advisory_lock(42)");
        execute(instance, "select pg_advisory_lock(28263, " + std::to_string(series_id()) + ")");
        auto const asked = submit({"a", 3});
        blocked_backend();  // it met the other instance, and waits for its turn
        execute(instance, "select pg_advisory_unlock(28263, " + std::to_string(series_id()) + ")");
        CHECK(outcome(asked) == "101-103");

        run("select pg_terminate_backend(" + blocked_backend() + ")");
        run_until([&] { return !queue().whole(); });
        execute(instance, "select pg_advisory_unlock_all()");
        run_until([&] { return queue().whole(); });
        CHECK(counters().unknown_batches == 0);
        CHECK(issue({{"b"}}) == "104-104");
        CHECK(verify() == "gapless");
    }
}

}  // namespace issue_queue_unknown_test
