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
            "select set_config('gapless.counter_1', (select ctid::text from gapless.counter where "
            "series_id = 2), true); ";
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
