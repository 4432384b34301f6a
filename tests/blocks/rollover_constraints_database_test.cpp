#include "harness/owner.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace rollover_constraints_test {

using namespace gapless;
using test::owner;

std::string const broken = "23514 a range does not continue the ledger of its series";

/// Owner's series s, whose queue is 300-309 (block 3), 400-401 (5), 600-602 (6), 700-709 (7), and t
/// with 800-809 (8) in its queue. Series s goes on at ordinal 8 and has 202-209 left of block 2.
struct queue_owner : owner
{
    queue_owner()
    {
        load_block("s", {400, 401});
        load_block("s", {600, 602});
        load_block("s", {700, 709});
        load_block("t", {800, 809});
    }

    /// What uses up the open block, then these.
    std::string insert_behind(std::string const& ranges)
    {
        return insert("(1, 2, 8, 202, 8), " + ranges);
    }

    std::string states()
    {
        return run("select block_id, state, coalesce(first_ordinal, 0) from gapless.block where "
                   "series_id = 1 order by position");
    }
};

TEST_SUITE("blocks/rollover_constraints_database")
{
    TEST_CASE_FIXTURE(queue_owner, "ranges that go on in the next queued blocks open them")
    {
        CHECK(insert_behind("(1, 3, 16, 300, 10), (1, 5, 26, 400, 2), (1, 6, 28, 600, 1)").empty());
        CHECK(
            states() ==
            "1|exhausted|1 2|exhausted|6 3|exhausted|16 5|exhausted|26 6|open|28 7|queued|0"
        );
        CHECK(issue("s", {"c"}) == "601-601");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_owner, "a block that is used up is followed by the next in the queue")
    {
        CHECK(insert("(1, 2, 8, 202, 8)").empty());
        CHECK(insert("(1, 5, 16, 400, 1)") == broken);
        CHECK(insert("(1, 3, 16, 301, 1)") == broken);
        CHECK(insert("(1, 3, 17, 300, 1)") == broken);
        CHECK(insert("(1, 3, 16, 300, 2), (1, 3, 18, 302, 1)").empty());
        CHECK(issue("s", {"c"}) == "303-303");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_owner, "a block may be used up to its last number with those before it")
    {
        CHECK(insert_behind("(1, 5, 26, 400, 2), (1, 3, 20, 304, 6), (1, 3, 16, 300, 4)").empty());
        CHECK(issue("s", {"c"}) == "600-600");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_owner, "no queued block is passed over or opened before its turn")
    {
        CHECK(insert_behind("(1, 5, 16, 400, 1)") == broken);
        CHECK(insert_behind("(1, 3, 16, 300, 10), (1, 6, 26, 600, 1)") == broken);
        CHECK(insert_behind("(1, 5, 16, 400, 2), (1, 3, 18, 300, 1)") == broken);
        CHECK(
            insert_behind("(1, 3, 16, 300, 10), (1, 6, 26, 600, 3), (1, 5, 29, 400, 1)") == broken
        );
        CHECK(insert("(1, 3, 8, 300, 1)") == broken);
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(queue_owner, "every block is used up before the next one opens")
    {
        CHECK(insert("(1, 2, 8, 202, 7), (1, 3, 15, 300, 1)") == broken);
        CHECK(insert("(1, 2, 8, 203, 7), (1, 3, 15, 300, 1)") == broken);
        CHECK(insert_behind("(1, 3, 16, 300, 9), (1, 5, 25, 400, 1)") == broken);
        CHECK(insert_behind("(1, 3, 16, 301, 9), (1, 5, 25, 400, 1)") == broken);
        CHECK(insert_behind("(1, 3, 16, 301, 1)") == broken);
        CHECK(insert_behind("(1, 3, 16, 299, 1)") == broken);
        CHECK(insert_behind("(1, 3, 16, 300, 11)") == broken);
        CHECK(insert_behind("(1, 3, 16, 300, 11), (1, 5, 27, 400, 1)") == broken);
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(queue_owner, "ordinals run on from block to block")
    {
        CHECK(insert_behind("(1, 3, 17, 300, 1)") == broken);
        CHECK(insert_behind("(1, 3, 15, 300, 1)") == broken);
        CHECK(insert("(1, 2, 9, 202, 8), (1, 3, 17, 300, 1)") == broken);
        CHECK(insert("(1, 2, 7, 202, 8), (1, 3, 15, 300, 1)") == broken);
        CHECK(insert("(1, 2, 7, 201, 9), (1, 3, 16, 300, 1)") == broken);
        CHECK(insert_behind("(1, 3, 16, 300, 10), (1, 5, 27, 400, 1)") == broken);
        CHECK(
            insert_behind("(1, 3, 16, 300, 4), (1, 3, 21, 304, 6), (1, 5, 27, 400, 1)") == broken
        );
        CHECK(
            insert_behind("(1, 3, 16, 300, 6), (1, 3, 20, 304, 6), (1, 5, 26, 400, 1)") == broken
        );
        CHECK(
            insert_behind("(1, 3, 16, 300, 4), (1, 3, 20, 305, 6), (1, 5, 26, 400, 1)") == broken
        );
        // A block in two parts with another one between them.
        CHECK(insert("(1, 2, 8, 202, 7), (1, 3, 15, 300, 1), (1, 2, 16, 209, 1)") == broken);
        CHECK(
            insert_behind("(1, 3, 16, 300, 5), (1, 5, 21, 400, 2), (1, 3, 23, 305, 5)") == broken
        );
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(queue_owner, "no block of another series, and none whose life is over, opens")
    {
        CHECK(insert_behind("(1, 4, 16, 500, 1)") == broken);
        CHECK(insert_behind("(1, 8, 16, 800, 1)") == broken);
        CHECK(insert_behind("(1, 99, 16, 300, 1)") == broken);
        CHECK(insert_behind("(1, 1, 16, 100, 1)") == broken);
        run("select gapless.block_close(3, 'wet', 'me')");
        CHECK(insert_behind("(1, 3, 16, 300, 1)") == broken);
        CHECK(unchanged());
        CHECK(insert_behind("(1, 5, 16, 400, 1)").empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        queue_owner, "a block past its time opens only to record what left before a restore"
    )
    {
        run("update gapless.block set valid_until = now() - interval '1 hour' where block_id = 3");
        CHECK(insert_behind("(1, 3, 16, 300, 1)") == broken);
        CHECK(insert_behind("(1, 5, 16, 400, 1)") == broken);
        CHECK(unchanged());
        run("select gapless.fence_raise('put back', 'test')");
        CHECK(run("select gapless.epoch_fill(1, 27, false, 'seen', 'test')") == "20");
        CHECK(
            states() == "1|exhausted|1 2|exhausted|6 3|exhausted|16 5|open|26 6|queued|0 7|queued|0"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(queue_owner, "a statement goes on in new blocks of one series only")
    {
        CHECK(insert_behind("(1, 3, 16, 300, 1), (2, 4, 2, 501, 1)") == broken);
        CHECK(insert_behind("(1, 3, 16, 300, 1), (2, 4, 2, 501, 9), (2, 8, 11, 800, 1)") == broken);
        CHECK(insert("(2, 2, 8, 202, 8), (2, 3, 16, 300, 1)") == broken);
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(queue_owner, "numbers of a later turn open no block")
    {
        CHECK(
            run("insert into gapless.ledger (series_id, block_id, turn, ordinal, serial, count, "
                "key, issued_at, owner_id, epoch) values "
                "(1, 2, 0, 8, 202, 8, gen_random_uuid(), now(), 1, 1), "
                "(1, 3, 1, 16, 300, 1, gen_random_uuid(), now(), 1, 1)") == broken
        );
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(queue_owner, "no queued block is exhausted by hand")
    {
        auto const exhaust = [&](std::string const& ordinal) {
            return run(
                "update gapless.block set state = 'exhausted', first_ordinal = " + ordinal +
                " where block_id = 5"
            );
        };
        CHECK(exhaust("8").starts_with("23514 block 5 is queued: it cannot become exhausted"));
        CHECK(exhaust("1").starts_with("23514"));
        CHECK(run("update gapless.block set state = 'exhausted' where block_id = 5")
                  .starts_with("23514"));
        CHECK(run("select gapless.roll_over(1, array[2, 3], array[8, 16], array[202, 300], "
                  "array[8, 1], now())")
                  .starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(
        queue_owner, "rows that somebody's trigger swallows take the request with them"
    )
    {
        run("create function public.swallow() returns trigger language plpgsql as "
            "'begin return null; end'");
        std::string const trigger =
            "create trigger swallows before insert on gapless.ledger for each row ";
        SUBCASE("the last")
        {
            run(trigger + "when (new.block_id = 5) execute function public.swallow()");
            CHECK(call_issue("s", 20, "k") == "refused: database-unavailable");
        }
        SUBCASE("one in the middle")
        {
            run(trigger + "when (new.block_id = 3) execute function public.swallow()");
            CHECK(call_issue("s", 20, "k").starts_with("23514"));
        }
        run("drop trigger swallows on gapless.ledger");
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(
        owner, "a request over many blocks moves the counter as often as one over two"
    )
    {
        auto const moves = [&](int count) {
            return work_of(
                "select count(*) from gapless.issue('s', " + std::to_string(count) + ");",
                "counter",
                "n_tup_upd"
            );
        };
        run("select gapless.block_load_many('s', array_agg(n), array_agg(n), null, null, 'me') "
            "from generate_series(1000, 2000) n");
        CHECK(moves(10) == 3);
        CHECK(moves(500) == 3);
        CHECK(verify() == "gapless");
    }

    // The other way is a look through the list of blocks for each block of the series: 25 million
    // looks for 5,000 blocks, which no figure of PostgreSQL counts.
    TEST_CASE_FIXTURE(owner, "a request over many blocks looks each of them up by its id")
    {
        run("select gapless.block_load_many('s', array_agg(n), array_agg(n), null, null, 'me') "
            "from generate_series(1000, 2000) n");
        auto const looks = std::string{"pg_stat_get_xact_numscans('gapless.block_pkey'::regclass)"};
        auto const before = "select set_config('test.before', " + looks + "::text, true); ";
        CHECK(
            run(before + "select count(*) from gapless.issue('s', 500); select " + looks +
                " - current_setting('test.before')::bigint >= 480") == "t"
        );
        CHECK(verify() == "gapless");
    }
}

}  // namespace rollover_constraints_test
