#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace returned_test {

using namespace gapless;
using test::issuing;

/// Sixteen requests for one number each, in the transaction of run.
std::string const sixteen =
    "select count(*) from gapless.issue_requests(1, array_fill(1, array[16]), array_fill(1, "
    "array[16]), array(select gen_random_uuid() from generate_series(1, 16)), "
    "array_fill(null::text, array[16]), array_fill(false, array[16]), false);";

constexpr auto rows_read = "seq_tup_read + idx_tup_fetch";

struct returned : issuing
{
    void hold(std::string const& key, int count)
    {
        issue("s", {.key = key, .count = count, .hold_seconds = 3600});
    }

    void release_all()
    {
        run("select gapless.hold_settle(h.series_id, h.turn, h.ordinal, null, false, 'me') from "
            "gapless.hold h where not isempty(h.held)");
    }
};

TEST_SUITE("numbers/returned_database")
{
    TEST_CASE_FIXTURE(returned, "requests of a batch share what came back, in their order")
    {
        create_series("s", {{100, 103}, {200, 299}});
        hold("h1", 6);
        issue("s", {"a", 2});
        hold("h2", 3);
        release_all();
        CHECK(
            issue_batch(
                "s",
                {{"b", 3}, {.key = "c", .count = 2, .hold_seconds = 60}, {"d", 3}, {"e", 2}, {"f"}}
            ) == "100-102, 103-103 200-200, 201-201 204-205, 206-206 207-207, 208-208"
        );
        CHECK(issue("s", {"d", 3}) == "again 201-201 204-205");
        CHECK(issue("s", {.key = "c", .count = 2, .hold_seconds = 60}) == "again 103-103 200-200");
        CHECK(
            run("select gapless.hold_settle(1, turn, ordinal, null, true, 'me') from gapless.hold "
                "where turn > 0") == "2"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(returned, "a run of requests is refused where its rows do not arrive")
    {
        create_series("s", {{100, 199}});
        hold("h", 3);
        release_all();
        run("create function public.swallow() returns trigger language plpgsql as "
            "'begin return null; end'");
        run("create trigger swallows before insert on gapless.ledger for each row "
            "when (new.ordinal = 3) execute function public.swallow()");
        CHECK(issue_batch("s", {{"b"}, {"c"}, {"d"}}).starts_with("refused: database-unavailable"));
        run("drop trigger swallows on gapless.ledger");
        CHECK(issue_batch("s", {{"b"}, {"c"}, {"d"}}) == "100-100, 101-101, 102-102");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        returned, "one released hold is found among very many numbers in other states"
    )
    {
        create_series("s", {{1, 2'000'000'000}});
        hold("h", 3);
        run("insert into gapless.number_state select 1, n, 'printed', int8multirange(int8range(n * "
            "4096, n * 4096 + 4095)) from generate_series(1, 250000) n");
        release_all();
        CHECK(work_of(sixteen, "number_state", rows_read) < 10);
    }

    TEST_CASE_FIXTURE(returned, "no more is read and written of what came back than a batch takes")
    {
        create_series("s", {{1, 2'000'000'000}});
        issue("s", {"a", 100'000});
        hold("h", 100'000);
        run("select gapless.hold_settle(1, 0, 100001, (select range_agg(int8range(n, n + 1)) from "
            "generate_series(100001, 199999, 2) n), false, 'me')");
        CHECK(work_of(sixteen, "number_state", rows_read) < 10);
        CHECK(work_of(sixteen, "number_state", "n_tup_upd") == 1);  // one large set, once
        CHECK(
            run("select min(serial), max(serial), count(*) from gapless.ledger where turn > 0") ==
            "100001|100063|32"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(returned, "one piece is taken from the first place that is long enough")
    {
        create_series("s", {{100, 20'000}});
        hold("h1", 2);
        issue("s", {"a", 8000});
        hold("h2", 300);
        issue("s", {"b"});
        release_all();
        // Ordinals 8003 to 8302 lie on both sides of the end of a chunk, at 8192.
        CHECK(issue("s", {.key = "c", .count = 250, .contiguous = true}) == "8102-8351");
        CHECK(issue("s", {"d", 3}) == "100-101 8352-8352");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(returned, "what came back in too short pieces is read once for a batch")
    {
        create_series("s", {{100, 200'000}});
        hold("h", 20'000);
        run("select gapless.hold_settle(1, 0, 1, (select range_agg(int8range(n, n + 1)) from "
            "generate_series(4, 20000, 2) n), false, 'me'), "
            "gapless.hold_settle(1, 0, 1, '{[1,3)}', false, 'me')");
        CHECK(
            issue_batch(
                "s",
                {{"a", 3, "", true},
                 {"b", 2, "", true},
                 {"c", 2, "", true},
                 {"d", 2},
                 {"e", 3, "", true}}
            ) == "20100-20102, 100-101, 20103-20104, 103-103 105-105, 20105-20107"
        );
        auto pairs = sixteen;
        pairs.replace(pairs.find("array_fill(1,"), 13, "array_fill(2,");
        pairs.replace(pairs.find("false, array"), 5, "true");
        CHECK(work_of(pairs, "number_state", rows_read) < 10);  // five rows
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        returned, "what came back in short pieces counts before a series is exhausted"
    )
    {
        create_series("s", {{100, 119}});
        hold("h", 11);
        run("select gapless.hold_settle(1, 0, 1, '{[1,2),[3,4),[5,6),[7,8),[9,10)}', false, 'me')");
        auto const refused = [&](int count) {
            return run(
                "set transaction isolation level serializable; select outcome, "
                "split_part(detail, ';', 1) from gapless.issue_requests(1, '{" +
                std::to_string(count) +
                "}', '{1}', array[gen_random_uuid()], '{null}', '{true}', true)"
            );
        };
        auto const short_of = std::string{" requested as one range"};
        CHECK(refused(10) == "GL010|series 's' has 9 numbers in its next range, 10" + short_of);
        CHECK(refused(15) == "GL009|series 's' has 14 numbers remaining, 15 requested");
        CHECK(issue("s", {"b", 9, "", true}) == "111-119");
        CHECK(refused(2) == "GL010|series 's' has 5 free numbers, in shorter ranges, 2" + short_of);
        CHECK(refused(6) == "GL009|series 's' has 5 numbers remaining, 6 requested");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(returned, "a set of numbers without any is deleted")
    {
        create_series("s", {{100, 199}});
        hold("h", 3);
        CHECK(run("select state from gapless.number_state") == "held");
        release_all();
        CHECK(run("select state from gapless.number_state") == "free");
        CHECK(issue("s", {"a", 3}) == "100-102");
        CHECK(run("select count(*) from gapless.number_state") == "0");
    }

    TEST_CASE_FIXTURE(
        returned, "what came back to a block past its time is voided, no other block's"
    )
    {
        create_series("s", {{100, 103}, {200, 203}, {300, 399}});
        hold("h", 12);
        release_all();
        run("update gapless.block set valid_until = now() - interval '1 hour' where block_id = 2");
        CHECK(issue("s", {"a", 6}) == "100-103 300-301");
        CHECK(run("select voided from gapless.tally") == "4");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        returned, "the sweep voids what came back to a block past its time, with nobody issuing"
    )
    {
        create_series("s", {{100, 103}, {200, 203}, {300, 399}});
        hold("h", 6);
        release_all();
        auto const sweep = [this](std::string const& expired) {
            run("set local session_replication_role = replica; "
                "update gapless.block set valid_until = now() - interval '1 hour' where block_id "
                "= " +
                expired +
                "; update gapless.counter c set valid_until = b.valid_until from "
                "gapless.block b where b.block_id = c.block_id");
            return run("select blocks from gapless.sweep(); select waiting, free, voided from "
                       "gapless.counter natural join gapless.tally");
        };
        CHECK(sweep("1") == "2|2|4");  // used up before its time was over
        CHECK(sweep("2") == "0|0|6");  // open
        CHECK(run("select state from gapless.block where block_id = 2") == "closed");
        CHECK(issue("s", {"a"}) == "300-300");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(returned, "the time until numbers are loaded again runs from their reissue")
    {
        run("select gapless.series_create('s', 'c', null, null, null, null, null, null, 'me', "
            "'30 days')");
        load_block("s", {100, 103});
        hold("h", 4);
        run("select gapless.hold_settle(1, 0, 1, '{[1,3)}', false, 'me'), "
            "gapless.hold_settle(1, 0, 1, null, true, 'me')");
        CHECK(issue("s", {"a", 2}) == "100-101");  // the last of the block left long before
        auto const load_after = [this](std::string const& turn) {
            run("set local session_replication_role = replica; update gapless.ledger set issued_at "
                "= issued_at - interval '40 days' where turn = " +
                turn +
                "; update gapless.number_event set at = at - interval '40 days'; update "
                "gapless.hold set expires_at = expires_at - interval '40 days' "
                "where turn = " +
                turn);
            return run("select gapless.block_load('s', 100, 103, null, null, null, 'me')");
        };
        CHECK(load_after("0") == "refused: block-overlap");
        CHECK(load_after("1") == "2");
        CHECK(verify() == "gapless");
    }
}

}  // namespace returned_test
