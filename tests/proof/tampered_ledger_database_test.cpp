#include "harness/life.hpp"

#include <doctest/doctest.h>

namespace tampered_ledger_test {

using namespace gapless;
using test::has;
using test::life;
using test::tampering;

tampering const changed_ranges[] = {
    {"update gapless.ledger set ordinal = 18 where ordinal = 17", "ordinals 17 to 17"},
    // All of the open block, with its counter, as if a number had left in between.
    {"update gapless.ledger set ordinal = ordinal + 1000 where block_id = 4; update "
     "gapless.ledger set ordinal = ordinal - 999 where block_id = 4; update "
     "gapless.block set first_ordinal = first_ordinal + 1 where block_id = 4; update "
     "gapless.counter set next_ordinal = next_ordinal + 1",
     "block 4 starts at ordinal 13, not at 12 where the block before ended"},
    // A gap and a double that make up for each other: the sum of the counts stays.
    {"update gapless.ledger set ordinal = 14, serial = 402 where ordinal = 13",
     "ordinals 13 to 13 (serials 401 to 401) are missing"},
    {"update gapless.ledger set ordinal = 14, serial = 402 where ordinal = 13",
     "ordinals 15 to 15 left twice"},
    {"update gapless.ledger set ordinal = 7 where ordinal = 8", "ordinals 7 to 7 left twice"},
    {"update gapless.ledger set serial = 203 where ordinal = 8",
     "serial 203 stands where 202 is due"},
    {"update gapless.ledger set serial = 1 where ordinal = 1", "serial 103 stands where 4 is due"},
    {"update gapless.ledger set serial = 302 where ordinal = 10", "block 3 starts at serial 302"},
    {"update gapless.ledger set count = 3 where ordinal = 13", "ordinals 15 to 15 left twice"},
    {"update gapless.ledger set count = 1 where ordinal = 13",
     "ordinals 14 to 14 (serials 402 to 402) are missing"},
    {"update gapless.ledger set count = 2 where ordinal = 17",
     "the counter stands at serial 406 of block 4, the ledger at 407"},
    {"update gapless.ledger set count = 3 where ordinal = 4",
     "block 1 went beyond its last serial to 105"},
    {"update gapless.ledger set count = -1 where ordinal = 8", "block 2 has a gap or a double"},
    {"update gapless.ledger set block_id = 3 where ordinal = 8", "block 2 has a gap or a double"},
    {"update gapless.ledger set block_id = 5 where ordinal = 17",
     "ordinal 17: numbers of block 5, which was never opened"},
    {"update gapless.ledger set block_id = block_id + 100",
     "ordinal 1: numbers of block 101, which was never opened"},
    {"update gapless.ledger l set serial = o.serial from gapless.ledger o where "
     "(l.ordinal, o.ordinal) in ((13, 15), (15, 13))",
     "serial 403 stands where 401 is due"},
    {"update gapless.ledger l set block_id = o.block_id from gapless.ledger o where "
     "(l.ordinal, o.ordinal) in ((8, 17), (17, 8))",
     "block 2 has a gap or a double"},
    {"update gapless.ledger l set count = o.count from gapless.ledger o where (l.ordinal, "
     "o.ordinal) in ((15, 17), (17, 15))",
     "ordinals 16 to 16 (serials 404 to 404) are missing"},
    {"update gapless.ledger set series_id = 2 where ordinal = 8",
     "ordinals 8 to 8 (serials 202 to 202) are missing"},
    {"update gapless.ledger set turn = 1 where ordinal = 8",
     "ordinals 8 to 8 (serials 202 to 202) are missing"},
    {"update gapless.ledger set turn = 1 where ordinal = 8",
     "left again in turn 1 without its event"},
    {"update gapless.ledger set epoch = 7 where ordinal = 8",
     "block 2 has ranges of epoch 7, a later epoch than the counter's, 1"},
    {"update gapless.ledger set key = null where ordinal = 8", "block 2 has 1 ranges"},
    {"update gapless.ledger set head_ordinal = 4 where ordinal = 8", "block 2 has 1 ranges"},
    {"update gapless.ledger set head_turn = 0 where ordinal = 8", "block 2 has 1 ranges"},
    {"update gapless.ledger set head_turn = null where ordinal = 6", "block 2 has 1 ranges"},
    {"update gapless.ledger set hold_seconds = 0 where ordinal = 8", "block 2 has 1 ranges"},
    {"update gapless.ledger set hold_seconds = -5 where ordinal = 6", "block 2 has 1 ranges"},
    {"update gapless.ledger set turn = -1 where ordinal = 8",
     "ordinal 8 left in turn -1, before the first"},
};

TEST_SUITE("proof/tampered_ledger_database")
{
    TEST_CASE_FIXTURE(life, "a missing range is found, wherever it was")
    {
        tampering const cases[] = {
            {"delete from gapless.ledger where ordinal = 1", "block 1 starts at serial 103"},
            {"delete from gapless.ledger where ordinal = 4",
             "block 1 counts as exhausted, but its ledger ends at serial 102"},
            {"delete from gapless.ledger where ordinal = 6", "block 2 starts at serial 202"},
            {"delete from gapless.ledger where ordinal = 8",
             "ordinals 8 to 8 (serials 202 to 202) are missing"},
            {"delete from gapless.ledger where ordinal = 9",
             "block 2 was closed at serial 204, but its ledger ends at 202"},
            {"delete from gapless.ledger where ordinal = 10",
             "block 3 is exhausted, but none of its numbers is in the ledger"},
            {"delete from gapless.ledger where ordinal = 12", "block 4 starts at serial 401"},
            {"delete from gapless.ledger where ordinal = 13",
             "ordinals 13 to 14 (serials 401 to 402) are missing"},
            {"delete from gapless.ledger where ordinal in (13, 15)",
             "ordinals 13 to 16 (serials 401 to 404) are missing"},
            {"delete from gapless.ledger where ordinal = 17",
             "the counter stands at serial 406 of block 4, the ledger at 405"},
            {"delete from gapless.ledger where block_id = 1", "block 1 is exhausted, but none"},
            {"delete from gapless.ledger where block_id = 2",
             "block 2 was closed at serial 204, but none"},
            {"delete from gapless.ledger where block_id = 3", "block 3 is exhausted, but none"},
            {"delete from gapless.ledger where block_id = 4",
             "the counter stands at serial 406 of block 4, the ledger at 400"},
            {"delete from gapless.ledger where block_id >= 3", "block 3 is exhausted, but none"},
            {"delete from gapless.ledger", "block 1 is exhausted, but none"},
            {"truncate gapless.ledger, gapless.issuance", "block 1 is exhausted, but none"},
        };
        for (auto const& [sql, finding] : cases)
        {
            auto const found = findings_after(sql);
            CHECK_MESSAGE(has(found, finding), sql, " -> ", found);
        }
    }

    TEST_CASE_FIXTURE(life, "an invented range is found")
    {
        auto const insert = [](std::string const& values) {
            return "insert into gapless.ledger (series_id, block_id, ordinal, serial, count, turn, "
                   "key, issued_at, owner_id, epoch) "
                   "select v.*, gen_random_uuid(), now(), 1, 1 from (values " +
                   values + ") v";
        };
        tampering const cases[] = {
            {insert("(1, 4, 18, 406, 1, 0)"),
             "the counter stands at serial 406 of block 4, the ledger at 407"},
            {insert("(1, 4, 20, 408, 1, 0)"), "ordinals 18 to 19 (serials 406 to 407) are missing"},
            {insert("(1, 4, 14, 402, 1, 0)"), "ordinals 14 to 14 left twice"},
            {insert("(1, 1, 2, 101, 2, 0)"), "ordinals 2 to 3 left twice"},
            {insert("(1, 5, 18, 600, 1, 0)"), "numbers of block 5, which was never opened"},
            {insert("(1, 99, 18, 1, 1, 0)"), "numbers of block 99, which was never opened"},
            {insert("(1, 2, 18, 204, 1, 0)"), "block 2 has a gap or a double"},
            {insert("(1, 4, 3, 391, 1, 0)"), "block 4 has a gap or a double"},
            {insert("(1, 4, 18, 406, 0, 0)"), "block 4 has 1 ranges without numbers"},
            {insert("(1, 4, 17, 405, 1, 1)"), "left again in turn 1 without its event"},
            {insert("(1, 4, 17, 405, 1, -1)"), "ordinal 17 left in turn -1, before the first"},
            {"alter table gapless.ledger drop constraint range_starts_once; insert into "
             "gapless.ledger (series_id, block_id, ordinal, "
             "serial, count, key, issued_at, owner_id, epoch) select series_id, block_id, ordinal, "
             "serial, count, gen_random_uuid(), "
             "issued_at, owner_id, epoch from gapless.ledger where ordinal = 8",
             "ordinals 8 to 8 left twice"},
            {"alter table gapless.ledger drop constraint range_starts_once; insert into "
             "gapless.ledger (series_id, block_id, ordinal, "
             "serial, count, key, issued_at, owner_id, epoch) select series_id, block_id, ordinal, "
             "serial, count, gen_random_uuid(), "
             "issued_at, owner_id, epoch from gapless.ledger, generate_series(1, 2) where ordinal "
             "= 13",
             "ordinals 13 to 14 left twice"},
        };
        for (auto const& [sql, finding] : cases)
        {
            auto const found = findings_after(sql);
            CHECK_MESSAGE(has(found, finding), sql, " -> ", found);
        }
    }

    TEST_CASE_FIXTURE(life, "a changed range is found")
    {
        for (auto const& [sql, finding] : changed_ranges)
        {
            auto const found = findings_after(sql);
            CHECK_MESSAGE(has(found, finding), sql, " -> ", found);
        }
    }
}

}  // namespace tampered_ledger_test
