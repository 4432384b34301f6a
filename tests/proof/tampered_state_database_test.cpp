#include "harness/life.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::has;
using test::life;
using test::tampering;

TEST_SUITE("proof/tampered_state_database")
{
    TEST_CASE_FIXTURE(life, "a moved counter is found")
    {
        std::string const other_series =
            "select gapless.series_create('t', 'c', null, null, null, null, null, null, 'me'); ";
        tampering const cases[] = {
            {"update gapless.counter set next_ordinal = 19",
             "the counter goes on at ordinal 19, the ledger at 18"},
            {"update gapless.counter set next_ordinal = 17",
             "ordinal 17: the counter goes on at ordinal 17, the ledger at 18"},
            {"update gapless.counter set next_serial = 405",
             "the counter stands at serial 405 of block 4, the ledger at 406"},
            {"update gapless.counter set next_serial = 407",
             "the counter stands at serial 407 of block 4, the ledger at 406"},
            {"update gapless.counter set next_serial = 405, next_ordinal = 17",
             "the counter stands at serial 405 of block 4"},
            {"update gapless.counter set last_serial = 9999",
             "the counter ends at serial 9999, block 4 at 499"},
            {"update gapless.counter set last_serial = 410",
             "the counter ends at serial 410, block 4 at 499"},
            {"update gapless.counter set block_id = 5, next_serial = 600, last_serial = 699",
             "the counter stands at serial 600 of block 5"},
            {"update gapless.counter set block_id = null, next_serial = null, last_serial = null",
             "the ledger at 406 of block 4"},
            {"update gapless.counter set next_serial = null",
             "the counter is in no block: ordinal 18, block 4, serial none, last serial 499"},
            {"update gapless.counter set last_serial = null",
             "the counter is in no block: ordinal 18, block 4, serial 406, last serial none"},
            {"update gapless.counter set block_id = null", "the counter is in no block"},
            {"update gapless.counter set next_serial = -1", "the counter is in no block"},
            {"update gapless.counter set next_serial = 501", "the counter is in no block"},
            {"update gapless.counter set next_ordinal = 0", "the counter is in no block"},
            {other_series + "update gapless.counter set next_serial = 7 where series_id > 1",
             "the counter is in no block: ordinal 1, block none, serial 7, last serial none"},
            {other_series + "update gapless.counter set next_serial = 7, last_serial = 9 where "
                            "series_id > 1",
             "the counter is in no block: ordinal 1, block none, serial 7, last serial 9"},
            {"update gapless.counter set epoch = 0", "later epoch"},
            {"delete from gapless.counter", "counter: the series has none"},
        };
        check_found(cases);
    }

    TEST_CASE_FIXTURE(life, "a changed block is found")
    {
        tampering const cases[] = {
            {"update gapless.block set first_serial = 99 where block_id = 1",
             "block 1 starts at serial 100, not at its first"},
            {"update gapless.block set first_serial = 401 where block_id = 4",
             "block 4 starts at serial 400, not at its first"},
            {"update gapless.block set last_serial = 105 where block_id = 1",
             "block 1 counts as exhausted, but its ledger ends at serial 104"},
            {"update gapless.block set last_serial = 103 where block_id = 1",
             "block 1 went beyond its last serial to 104"},
            {"update gapless.block set last_serial = 404 where block_id = 4",
             "block 4 went beyond its last serial to 405"},
            {"update gapless.block set last_serial = 500 where block_id = 4",
             "the counter ends at serial 499, block 4 at 500"},
            {"update gapless.block set last_serial = 450 where block_id = 4",
             "the counter ends at serial 499, block 4 at 450"},
            {"update gapless.block set first_ordinal = 5 where block_id = 2",
             "block 2 starts at ordinal 6, but was opened at 5"},
            {"update gapless.block set first_ordinal = null where block_id = 2",
             "numbers of block 2, which was never opened"},
            {"update gapless.block set first_ordinal = 18 where block_id = 5",
             "block 5 counts as queued, but was opened at ordinal 18"},
            {"update gapless.block set state = 'queued' where block_id = 3",
             "block 3 counts as queued, but was opened at ordinal 10"},
            {"update gapless.block set state = 'queued' where block_id = 4",
             "block 4 counts as queued"},
            {"update gapless.block set state = 'exhausted' where block_id = 4",
             "block 4 counts as exhausted, but its ledger ends at serial 405"},
            {"update gapless.block set state = 'exhausted' where block_id = 2",
             "block 2 counts as exhausted"},
            {"update gapless.block set state = 'exhausted' where block_id = 5",
             "block 5 counts as exhausted, but was never opened"},
            {"drop index gapless.one_block_is_open; update gapless.block set state = 'open' where "
             "block_id = 5",
             "block 5 counts as open, but was never opened"},
            {"drop index gapless.one_block_is_open; update gapless.block set state = 'open' where "
             "block_id = 3",
             "block 3 is still open"},
            {"update gapless.block set state = 'closed', closed_serial = 406, closed_reason = 'x' "
             "where block_id = 4",
             "the counter stands at serial 406 of block 4"},
            {"update gapless.block set closed_serial = 205 where block_id = 2",
             "block 2 was closed at serial 205, but its ledger ends at 203"},
            {"update gapless.block set closed_serial = 203 where block_id = 2",
             "block 2 was closed at serial 203, but its ledger ends at 203"},
            {"update gapless.block set closed_serial = null where block_id = 2",
             "block 2 was closed"},
            {"update gapless.block set closed_serial = 750 where block_id = 6",
             "block 6 was closed at serial 750 without having been opened"},
            {"set constraints all deferred; update gapless.block set position = 8 - position",
             "block 2 was opened before a block ahead of it"},
            {"delete from gapless.block where block_id = 3",
             "numbers of block 3, which was never opened"},
            {"alter table gapless.block drop constraint blocks_of_a_space_do_not_overlap; "
             "update gapless.block set first_serial = 450 where block_id = 5",
             "block 5 (450…699) shares numbers with block 4 (400…499)"},
        };
        check_found(cases);
    }

    TEST_CASE_FIXTURE(life, "numbers that blocks of two series share are found for both")
    {
        create_series("t", {{5000, 5099}});
        auto const found =
            findings_after("alter table gapless.block drop constraint "
                           "blocks_of_a_space_do_not_overlap; update gapless.block set "
                           "first_serial = 690, last_serial = 710 where block_id = 7");
        CHECK_MESSAGE(has(found, "block 7 (690…710) shares numbers with block 5 (600…699)"), found);
        CHECK_MESSAGE(has(found, "block 5 (600…699) shares numbers with block 7 (690…710)"), found);
        CHECK_MESSAGE(has(found, "block 7 (690…710) shares numbers with block 6 (700…799)"), found);
    }

    TEST_CASE_FIXTURE(life, "one sealed record less is found in each kind that is counted")
    {
        run("select gapless.note_event(1, 'printed', '{[1,2)}', 'me', null, false)");
        issue("s", {.key = "held", .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 18, null, false, 'me')");
        CHECK(issue("s", {"reissued"}) == "406-406");
        CHECK(run("select gapless.seal(1)") == "f");
        CHECK(verify() == "gapless");
        tampering const cases[] = {
            {"update gapless.counter set next_ordinal = next_ordinal - 1",
             "ordinal 18: ordinals 18 to 18 were sealed at"},
            {"update gapless.counter set turn = turn - 1", "turn 1: turns 1 to 1 were sealed at"},
            {"update gapless.tally set events = events - 1",
             "event 3: events 3 to 3 were sealed at"},
        };
        check_found(cases);
    }

    TEST_CASE_FIXTURE(life, "a broken issuance is found")
    {
        tampering const cases[] = {
            {"delete from gapless.issuance where ordinal = 4",
             "2 ranges continue an issuance, but issuances name 1"},
            {"truncate gapless.issuance", "2 ranges continue an issuance, but issuances name 0"},
            {"delete from gapless.ledger where ordinal = 6",
             "ordinal 4: the issuance there asked for 4 numbers, its ranges hold 2"},
            {"update gapless.issuance set count = 5 where ordinal = 4",
             "ordinal 4: the issuance there asked for 5 numbers, its ranges hold 4"},
            {"update gapless.issuance set count = 3 where ordinal = 4",
             "ordinal 4: the issuance there asked for 3 numbers, its ranges hold 4"},
            {"update gapless.issuance set contiguous = true where ordinal = 4",
             "ordinal 4: the issuance there asked for one range, it has 2"},
            {"update gapless.issuance set range_ordinals = '{4,4}' where ordinal = 4",
             "ordinal 4: the issuance there names ranges that do not"},
            {"update gapless.issuance set range_ordinals = '{6,4}' where ordinal = 4",
             "ordinal 4: the issuance there names ranges that do not"},
            {"update gapless.issuance set range_ordinals = '{4,13}' where ordinal = 4",
             "ordinal 4: the issuance there names ranges that do not"},
            {"update gapless.issuance set ordinal = 5 where ordinal = 4",
             "ordinal 5: the issuance there"},
            {"update gapless.ledger set head_ordinal = 10 where ordinal = 6",
             "ordinal 4: the issuance there names ranges that do not"},
            {"update gapless.ledger set head_ordinal = null, head_turn = null, key = "
             "gen_random_uuid() where ordinal = 6",
             "1 ranges continue an issuance, but issuances name 2"},
            {"update gapless.ledger set head_ordinal = 13, head_turn = 0, key = null where ordinal "
             "= 15",
             "3 ranges continue an issuance, but issuances name 2"},
        };
        check_found(cases);
    }
}
