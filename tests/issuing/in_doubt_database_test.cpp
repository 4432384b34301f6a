#include "harness/database.hpp"
#include "postgres/connection.hpp"
#include "postgres/query.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

namespace in_doubt_test {

using namespace gapless;

/// A table of notes, and what happens at the COMMIT of those who write one.
struct in_doubt : test::database
{
    /// A statement of PL/pgSQL.
    void at_commit(std::string const& statement)
    {
        run("create table public.note (n integer); create function public.at_commit() returns "
            "trigger language plpgsql as $$ begin " +
            statement +
            " return null; end $$; create constraint trigger at_commit after insert on public.note "
            "deferrable initially deferred for each row execute function public.at_commit()");
    }

    /// "<attempts> <outcome>" of a note, written on a connection of its own.
    template <class Run>
    std::string written(Run run_it, std::string const& sql = "insert into public.note values (1)")
    {
        auto const own = open_connection(url(), connection_purpose::service);
        int attempts = 0;
        auto const outcome = run_it(*own, [&](pqxx::transaction_base& transaction) {
            ++attempts;
            execute(transaction, sql);
            return 0;
        });
        return std::to_string(attempts) + ' ' +
               (outcome.has_value() ? "done" : std::string{name_of(outcome.error().kind)});
    }

    std::string notes() { return run("select count(*) from public.note"); }
};

auto const serializable = [](pqxx::connection& connection, auto work) {
    return run_serializable(connection, {}, work);
};
auto const read_committed = [](pqxx::connection& connection, auto work) {
    return run_read_committed(connection, work);
};
auto const reading = [](pqxx::connection& connection, auto work) {
    return run_read(connection, work);
};
auto const rehearsed = [](pqxx::connection& connection, auto work) {
    return run_rehearsal(connection, 0, work);
};

/// What is in doubt is unknown, whoever asked: it is never run again, and never taken for done.
TEST_SUITE("issuing/in_doubt_database")
{
    TEST_CASE_FIXTURE(in_doubt, "a warning at COMMIT is no success, and the work is not run again")
    {
        // What PostgreSQL says when a wait for the synchronous standby is cancelled.
        at_commit("raise warning 'canceling wait for synchronous replication due to user request';"
        );
        CHECK(written(serializable) == "1 outcome-unknown");
        CHECK(notes() == "1");
        CHECK(written(read_committed) == "1 outcome-unknown");
        CHECK(notes() == "2");
    }

    TEST_CASE_FIXTURE(in_doubt, "a connection lost at COMMIT leaves the outcome unknown")
    {
        at_commit("perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(60);");
        CHECK(written(serializable) == "1 outcome-unknown");
        CHECK(written(read_committed) == "1 outcome-unknown");
        CHECK(notes() == "0");
    }

    TEST_CASE_FIXTURE(in_doubt, "a server that does not know itself leaves the outcome unknown")
    {
        at_commit("raise exception 'nobody knows' using errcode = '40003';");
        CHECK(written(serializable) == "1 outcome-unknown");
        CHECK(written(read_committed) == "1 outcome-unknown");
        auto const at_once = "do $$ begin raise exception 'nobody knows' using errcode = '40003'; "
                             "end $$";
        CHECK(written(serializable, at_once) == "1 outcome-unknown");
        CHECK(notes() == "0");
    }

    TEST_CASE_FIXTURE(in_doubt, "a failure at COMMIT that is certain is no doubt")
    {
        at_commit("raise exception 'no room' using errcode = '53100';");
        CHECK(written(serializable) == "1 database-unavailable");
        CHECK(notes() == "0");
    }

    TEST_CASE_FIXTURE(in_doubt, "what is rolled back either way is never in doubt")
    {
        auto const at_once = "do $$ begin raise exception 'nobody knows' using errcode = '40003'; "
                             "end $$";
        CHECK(written(reading, at_once) == "1 database-unavailable");
        CHECK(written(rehearsed, at_once) == "1 database-unavailable");
        at_commit("raise exception 'committed after all';");
        CHECK(written(rehearsed) == "1 done");
        CHECK(notes() == "0");
    }
}

}  // namespace in_doubt_test
