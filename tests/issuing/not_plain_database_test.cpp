#include "harness/issuing.hpp"

#include <doctest/doctest.h>

namespace not_plain_test {

using namespace gapless;
using test::issuing;

/// Two series with an open block each: "s" goes on at 101 and has a second block, "t" at 501.
struct not_plain : issuing
{
    not_plain()
    {
        create_series("s", {{100, 109}, {200, 209}});
        create_series("t", {{500, 509}});
        issue("s", {"opens s"});
        issue("t", {"opens t"});
    }

    /// The fast path does nothing in "s", neither alone nor beside "t", which issues.
    void check_left_alone()
    {
        CHECK(issue_plain("s", {{"a"}}) == "nothing");
        CHECK(issue_plain_many({{"s", {"a"}}, {"t", {"b"}}}) == "t 501-501");
        CHECK(run("select count(*) from gapless.ledger where series_id = 1") == "1");
    }
};

/// What the fast path leaves to the complete path, alone and in a batch of several series.
TEST_SUITE("issuing/not_plain_database")
{
    TEST_CASE_FIXTURE(not_plain, "what is plain leaves, alone and beside another series")
    {
        CHECK(issue_plain("s", {{"a"}}) == "101-101");
        CHECK(issue_plain_many({{"s", {"b", 2}}, {"t", {"c"}}}) == "s 102-103, t 501-501");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(not_plain, "what is not plain opens no block, alone or beside others")
    {
        create_series("u", {{600, 609}, {700, 709}});
        std::string const back = "; select from gapless.issue_plain(3, '{0}', '{1}', '{1}', "
                                 "array[gen_random_uuid()], null, true, null, false, null, ";
        struct obstacle
        {
            std::string sets;
            std::string takes_back;
        };
        for (auto const& [sets, takes_back] : {
                 obstacle{"counter set paused = true", "counter set paused = false"},
                 obstacle{"counter set fenced = true", "counter set fenced = false"},
                 obstacle{"counter set waiting = 1", "counter set waiting = 0"},
                 obstacle{
                     "block set valid_until = now() - interval '1 second'",
                     "block set valid_until = null"},
             })
        {
            CAPTURE(sets);
            run("update gapless." + sets + " where series_id = 3");
            CHECK(issue_plain("u", {{"a"}}) == "nothing");
            CHECK(issue_plain_many({{"t", {sets}}, {"u", {"a"}}}).starts_with("t "));
            run("update gapless." + takes_back + " where series_id = 3");
        }
        // The caller knows of an ordinal, an epoch, a turn and a table that this database lacks.
        for (auto const* const known :
             {"1, null, 1, 0)", "2, null, 0, 0)", "1, null, 0, 1)", "1, 1, 0, 0)"})
            run("set transaction isolation level serializable" + back + known);
        std::string const states =
            "select state from gapless.block where series_id = 3 order by position";
        CHECK(run(states) == "queued queued");
        CHECK(issue_plain_many({{"t", {"z"}}, {"u", {"a", 2}}}).ends_with("u 600-601"));
        CHECK(run(states) == "open queued");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(not_plain, "the blocks of a batch open in one statement, however many")
    {
        for (int n = 6; n <= 9; ++n)
            create_series("u" + std::to_string(n), {{n * 100, n * 100 + 9}});
        std::string const calls = run(
            "set transaction isolation level serializable; set local track_functions = 'all'; "
            "select from gapless.issue_plain_many('{3, 4, 5, 6}', '{1, 1, 1, 1}', '{1, 2, 3, 4}', "
            "'{0, 0, 0, 0}', '{1, 1, 1, 1}', '{1, 1, 1, 1}', "
            "array(select gen_random_uuid() from generate_series(1, 4)), "
            "'{null, null, null, null}', true); "
            "select pg_stat_get_xact_function_calls('gapless.notice_of_block()'::regprocedure)"
        );
        CHECK(calls == "1");
        CHECK(run("select count(*) from gapless.notice where kind = 'block.opened'") == "6");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(not_plain, "a fenced series is left alone by the next batch")
    {
        run("update gapless.counter set fenced = true where series_id = 1");
        check_left_alone();
        CHECK(issue("s", {"a"}) == "refused: fenced");
    }

    TEST_CASE_FIXTURE(not_plain, "a fence stops the next batch of every series, and new ones")
    {
        CHECK(run("select gapless.fence_raise('a journal says so', 'me')").empty());
        CHECK(issue_plain("s", {{"a"}}) == "nothing");
        CHECK(issue_plain_many({{"s", {"a"}}, {"t", {"b"}}}) == "nothing");
        create_series("u", {{600, 609}});
        CHECK(issue("u", {"c"}) == "refused: fenced");
        CHECK(run("select count(*) from gapless.ledger") == "2");
    }

    TEST_CASE_FIXTURE(not_plain, "a paused series is left alone by the next batch")
    {
        run("update gapless.counter set paused = true where series_id = 1");
        check_left_alone();
        CHECK(issue("s", {"a"}) == "refused: series-paused");
    }

    TEST_CASE_FIXTURE(not_plain, "a block that expires between two batches gives nothing more")
    {
        run("set local session_replication_role = replica; "
            "update gapless.block set valid_until = now() - interval '1 second' where block_id = "
            "1; update gapless.counter set valid_until = now() - interval '1 second' where "
            "series_id = 1");
        check_left_alone();
        CHECK(issue("s", {"a"}) == "200-200");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(not_plain, "numbers that came back go before fresh ones")
    {
        issue("s", {.key = "h", .count = 2, .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 2, null, false, 'me')");
        CHECK(issue_plain("s", {{"a"}}) == "nothing");
        CHECK(issue_plain_many({{"s", {"a"}}, {"t", {"b"}}}) == "t 501-501");
        CHECK(issue("s", {"a"}) == "101-101");
        CHECK(verify() == "gapless");
    }
}

}  // namespace not_plain_test
