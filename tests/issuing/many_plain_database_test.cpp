#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace many_plain_test {

using namespace gapless;
using test::issuing;

/// Two series with an open block each: "s" goes on at 101 and has nine numbers left, "t" at 501
/// with one.
struct two_series : issuing
{
    two_series()
    {
        create_series("s", {{100, 109}});
        create_series("t", {{500, 501}});
        issue("s", {"opens s"});
        issue("t", {"opens t"});
    }

    /// One request of each series through gapless.issue_plain_many: their serials.
    std::string ask(int of_s, int of_t, std::string const& isolation = "serializable")
    {
        auto const counts = std::to_string(of_s) + ", " + std::to_string(of_t);
        return run(
            "set transaction isolation level " + isolation +
            "; set local enable_seqscan = off; set local statement_timeout = '20s'; select "
            "series_id, serial from gapless.issue_plain_many(array[1, 2], array[" +
            counts + "], array[1, 2], array[0, 0], array[" + counts +
            "], array[1, 1], array[gen_random_uuid(), gen_random_uuid()], array[null, null], true)"
        );
    }
};

/// A transaction of somebody else that stays open.
struct open_transaction
{
    open_transaction(test::database const& database, std::string const& sql)
        : connection_{database.url()},
          transaction_{connection_}
    {
        execute(transaction_, sql);
    }

private:
    pqxx::connection connection_;
    pqxx::work transaction_;
};

std::string const batch_on_hold =
    "set transaction isolation level serializable; set local enable_seqscan = off; set local "
    "statement_timeout = '20s'; select serial from gapless.issue_plain(1, array[0], array[1], "
    "array[1], array[gen_random_uuid()], array['order 1'], true, array[60], true)";

/// The fast path beside others: what does not fit or is locked is left alone, and nobody waits.
TEST_SUITE("issuing/many_plain_database")
{
    TEST_CASE_FIXTURE(two_series, "each series has room of its own, to its last number")
    {
        CHECK(ask(3, 2) == "1|101");
        CHECK(ask(1, 1) == "1|104 2|501");
        CHECK(ask(1, 1) == "1|105");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(two_series, "what a series that is left out asks for is no matter of others")
    {
        run("update gapless.counter set paused = true where series_id = 1");
        CHECK(ask(3, 1) == "2|501");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(two_series, "where another series took the place of one it is looked up")
    {
        std::string const elsewhere =
            "select gapless.note_counter(1, (select ctid from gapless.counter where series_id = "
            "2)); ";
        CHECK(
            run(elsewhere + "select serial from gapless.issue_plain(1, array[0], array[1], "
                            "array[1], array[gen_random_uuid()], null, false)") == "101"
        );
        CHECK(
            run(elsewhere + "select series_id, serial from gapless.issue_plain_many(array[1], "
                            "array[1], array[1], array[0], array[1], array[1], "
                            "array[gen_random_uuid()], array[null], false)") == "1|102"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(two_series, "a place that was noted and rolled back is as if never noted")
    {
        std::string const none{"select gapless.counter_place(901) is null"};
        std::string const noted{"select gapless.note_counter(901, '(4294967295,65535)'); "};
        CHECK(run("savepoint before; " + noted + "rollback to before; " + none) == "t");
        CHECK(
            run("savepoint before; " + noted + "rollback to before; " + noted +
                "select gapless.note_counter(902, '(0,7)'); select "
                "gapless.counter_place(901)::text || gapless.counter_place(902)::text") ==
            "(4294967295,65535)(0,7)"
        );
    }

    TEST_CASE_FIXTURE(issuing, "a block opens without a look at the open ones of other series")
    {
        constexpr int others = 60;
        create_series("t", {{100, 100}, {200, 209}}, "t");
        for (int n = 0; n < others; ++n)
        {
            auto const name = "s" + std::to_string(n);
            create_series(name, {{100, 109}}, name);
        }
        // So many that no plan reads all of them; none is open, the planner believes.
        run("select gapless.block_load_many('t', array_agg(n), array_agg(n), null, null, 'me') "
            "from generate_series(1001, 3000) n; analyze gapless.block");
        for (int n = 0; n < others; ++n)
            issue("s" + std::to_string(n), {"opens " + std::to_string(n)});
        issue("t", {"opens t"});
        CHECK(
            work_of(
                "set local plan_cache_mode = force_generic_plan; select "
                "gapless.find_or_open(array[" +
                    id_of("t") + "], array[1], true, 0, null, array[0], array[0]);",
                "block",
                "seq_tup_read + idx_tup_fetch"
            ) < others
        );
        CHECK(run("select state from gapless.block where first_serial = 200") == "open");
    }

    TEST_CASE_FIXTURE(two_series, "a batch of several series wants a safe session")
    {
        CHECK(ask(1, 1, "read committed") == "refused: database-unavailable");
        CHECK(run("select count(*) from gapless.ledger") == "2");
    }

    TEST_CASE_FIXTURE(two_series, "a series that somebody has locked is left out, unwaited for")
    {
        open_transaction const other{
            *this, "select from gapless.counter where series_id = 1 for update"};
        CHECK(ask(1, 1) == "2|501");
    }

    TEST_CASE_FIXTURE(two_series, "who has locked a series blocks others and not himself")
    {
        CHECK(
            run("select from gapless.counter where series_id = 1 for update; select count(*) from "
                "gapless.series_blocker(1)") == "0"
        );
    }

    TEST_CASE_FIXTURE(two_series, "a series from which another instance issues is left to it")
    {
        open_transaction const other{*this, "select pg_advisory_xact_lock(28263, 1)"};
        CHECK(ask(1, 1) == "2|501");
        CHECK(run(batch_on_hold).starts_with("55006 "));
    }

    TEST_CASE_FIXTURE(two_series, "a batch of holds does not wait for the tally either")
    {
        {
            open_transaction const other{
                *this, "select from gapless.tally where series_id = 1 for update"};
            CHECK(run(batch_on_hold).starts_with("55P03 "));
        }
        CHECK(run(batch_on_hold) == "101");
        CHECK(run("select reference from gapless.ledger where serial = 101") == "order 1");
    }
}

}  // namespace many_plain_test
