#include "support/issuing.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::issuing;

namespace {

/// Series 1 after a life of its own: what left stands behind each block.
///
///   block 1  100-104  exhausted  ordinals 1-3, 4-5
///   block 2  200-209  closed     6-7, 8, 9; closed at 204
///   block 3  300-301  exhausted  10-11
///   block 4  400-499  open       12, 13-14, 15-16, 17; goes on at ordinal 18, serial 406
///   block 5  600-699  queued
///   block 6  700-799  closed before it was opened
struct life : issuing
{
    life()
    {
        create_series("s", {{100, 104}, {200, 209}, {300, 301}, {400, 499}, {600, 699}, {700, 799}});
        issue("s", {"a", 3});
        issue("s", {"b", 4});
        issue("s", {"c"});
        issue("s", {"d"});
        run("select gapless.block_close(2, 'wet', 'me')");
        issue("s", {"e", 3});
        issue("s", {"f", 2});
        issue("s", {"g", 2});
        issue("s", {"h"});
        run("select gapless.block_close(6, 'wet', 'me')");
        run("alter table gapless.block drop constraint closed_serial_is_in_the_block, drop constraint opened_block_has_an_ordinal, "
            "drop constraint block_runs_upwards, drop constraint closed_block_says_where_and_why; "
            "alter table gapless.ledger drop constraint count_is_positive, drop constraint serial_is_in_reach");
    }

    /// What verify finds after a superuser did that with every trigger off; nothing of it stays.
    std::string findings_after(std::string const& tampering)
    {
        std::string const tables[] = {"ledger", "block", "counter", "issuance"};
        pqxx::work transaction{connection()};
        for (auto const& table : tables)
            transaction.exec("alter table gapless." + table + " disable trigger all");
        transaction.exec(tampering);
        for (auto const& table : tables)
            transaction.exec("alter table gapless." + table + " enable trigger all");
        std::string text;
        for (auto const& row : transaction.exec("select at, what from gapless.verify()"))
            text += row[0].as<std::string>() + ": " + row[1].as<std::string>() + "; ";
        return text.empty() ? "gapless" : text;
    }
};

struct tampering
{
    std::string sql;
    std::string finding;  // must be part of what verify says
};

bool has(std::string const& text, std::string const& part)
{
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_SUITE("store/verify")
{
    TEST_CASE_FIXTURE(life, "a life without tampering is gapless, and what was checked is counted")
    {
        CHECK(verify() == "gapless");
        CHECK(findings_after("select 1") == "gapless");
        CHECK(run("select rows, numbers, blocks, findings from gapless.verify_series(1)") == "10|17|6|[]");
        CHECK(run("select count(*) from gapless.verify('no such series')") == "0");
    }

    TEST_CASE_FIXTURE(life, "a missing range is found, wherever it was")
    {
        tampering const cases[] = {
            {"delete from gapless.ledger where ordinal = 1", "block 1 starts at serial 103"},
            {"delete from gapless.ledger where ordinal = 4", "block 1 counts as exhausted, but its ledger ends at serial 102"},
            {"delete from gapless.ledger where ordinal = 6", "block 2 starts at serial 202"},
            {"delete from gapless.ledger where ordinal = 8", "ordinals 8 to 8 (serials 202 to 202) are missing"},
            {"delete from gapless.ledger where ordinal = 9", "block 2 was closed at serial 204, but its ledger ends at 202"},
            {"delete from gapless.ledger where ordinal = 10", "block 3 is exhausted, but none of its numbers is in the ledger"},
            {"delete from gapless.ledger where ordinal = 12", "block 4 starts at serial 401"},
            {"delete from gapless.ledger where ordinal = 13", "ordinals 13 to 14 (serials 401 to 402) are missing"},
            {"delete from gapless.ledger where ordinal in (13, 15)", "ordinals 13 to 16 (serials 401 to 404) are missing"},
            {"delete from gapless.ledger where ordinal = 17", "the counter stands at serial 406 of block 4, the ledger at 405"},
            {"delete from gapless.ledger where block_id = 1", "block 1 is exhausted, but none"},
            {"delete from gapless.ledger where block_id = 2", "block 2 was closed at serial 204, but none"},
            {"delete from gapless.ledger where block_id = 3", "block 3 is exhausted, but none"},
            {"delete from gapless.ledger where block_id = 4", "the counter stands at serial 406 of block 4, the ledger at 400"},
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
            return "insert into gapless.ledger (series_id, block_id, ordinal, serial, count, turn, key, issued_at, owner_id, epoch) "
                   "select v.*, gen_random_uuid(), now(), 1, 1 from (values " + values + ") v";
        };
        tampering const cases[] = {
            {insert("(1, 4, 18, 406, 1, 0)"), "the counter stands at serial 406 of block 4, the ledger at 407"},
            {insert("(1, 4, 20, 408, 1, 0)"), "ordinals 18 to 19 (serials 406 to 407) are missing"},
            {insert("(1, 4, 14, 402, 1, 0)"), "ordinals 14 to 14 left twice"},
            {insert("(1, 1, 2, 101, 2, 0)"), "ordinals 2 to 3 left twice"},
            {insert("(1, 5, 18, 600, 1, 0)"), "numbers of block 5, which was never opened"},
            {insert("(1, 99, 18, 1, 1, 0)"), "numbers of block 99, which was never opened"},
            {insert("(1, 2, 18, 204, 1, 0)"), "block 2 has a gap or a double"},
            {insert("(1, 4, 3, 391, 1, 0)"), "block 4 has a gap or a double"},
            {insert("(1, 4, 18, 406, 0, 0)"), "block 4 has 1 ranges without numbers"},
            {insert("(1, 4, 17, 405, 1, 1)"), "ordinal 17: ordinal 17 left again"},
            {"alter table gapless.ledger drop constraint range_starts_once; insert into gapless.ledger (series_id, block_id, ordinal, "
             "serial, count, key, issued_at, owner_id, epoch) select series_id, block_id, ordinal, serial, count, gen_random_uuid(), "
             "issued_at, owner_id, epoch from gapless.ledger where ordinal = 8",
             "ordinals 8 to 8 left twice"},
            {"alter table gapless.ledger drop constraint range_starts_once; insert into gapless.ledger (series_id, block_id, ordinal, "
             "serial, count, key, issued_at, owner_id, epoch) select series_id, block_id, ordinal, serial, count, gen_random_uuid(), "
             "issued_at, owner_id, epoch from gapless.ledger, generate_series(1, 2) where ordinal = 13",
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
        tampering const cases[] = {
            {"update gapless.ledger set ordinal = 18 where ordinal = 17", "ordinals 17 to 17"},
            {"update gapless.ledger set ordinal = 7 where ordinal = 8", "ordinals 7 to 7 left twice"},
            {"update gapless.ledger set serial = 203 where ordinal = 8", "serial 203 stands where 202 is due"},
            {"update gapless.ledger set serial = 1 where ordinal = 1", "serial 103 stands where 4 is due"},
            {"update gapless.ledger set serial = 302 where ordinal = 10", "block 3 starts at serial 302"},
            {"update gapless.ledger set count = 3 where ordinal = 13", "ordinals 15 to 15 left twice"},
            {"update gapless.ledger set count = 1 where ordinal = 13", "ordinals 14 to 14 (serials 402 to 402) are missing"},
            {"update gapless.ledger set count = 2 where ordinal = 17", "the counter stands at serial 406 of block 4, the ledger at 407"},
            {"update gapless.ledger set count = 3 where ordinal = 4", "block 1 went beyond its last serial to 105"},
            {"update gapless.ledger set count = -1 where ordinal = 8", "block 2 has a gap or a double"},
            {"update gapless.ledger set block_id = 3 where ordinal = 8", "block 2 has a gap or a double"},
            {"update gapless.ledger set block_id = 5 where ordinal = 17", "ordinal 17: numbers of block 5, which was never opened"},
            {"update gapless.ledger set block_id = block_id + 100", "ordinal 1: numbers of block 101, which was never opened"},
            {"update gapless.ledger l set serial = o.serial from gapless.ledger o where (l.ordinal, o.ordinal) in ((13, 15), (15, 13))",
             "serial 403 stands where 401 is due"},
            {"update gapless.ledger l set block_id = o.block_id from gapless.ledger o where (l.ordinal, o.ordinal) in ((8, 17), (17, 8))",
             "block 2 has a gap or a double"},
            {"update gapless.ledger l set count = o.count from gapless.ledger o where (l.ordinal, o.ordinal) in ((15, 17), (17, 15))",
             "ordinals 16 to 16 (serials 404 to 404) are missing"},
            {"update gapless.ledger set series_id = 2 where ordinal = 8", "ordinals 8 to 8 (serials 202 to 202) are missing"},
            {"update gapless.ledger set turn = 1 where ordinal = 8", "ordinals 8 to 8 (serials 202 to 202) are missing"},
            {"update gapless.ledger set turn = 1 where ordinal = 8", "ordinal 8: ordinal 8 left again"},
            {"update gapless.ledger set epoch = 7 where ordinal = 8", "block 2 has 1 ranges"},
            {"alter table gapless.ledger drop constraint range_has_a_key_or_a_head; update gapless.ledger set key = null where ordinal = 8",
             "block 2 has 1 ranges"},
        };
        for (auto const& [sql, finding] : cases)
        {
            auto const found = findings_after(sql);
            CHECK_MESSAGE(has(found, finding), sql, " -> ", found);
        }
    }

    TEST_CASE_FIXTURE(life, "a moved counter is found")
    {
        tampering const cases[] = {
            {"update gapless.counter set next_ordinal = 19", "the counter goes on at ordinal 19, the ledger at 18"},
            {"update gapless.counter set next_ordinal = 17", "ordinal 17: the counter goes on at ordinal 17, the ledger at 18"},
            {"update gapless.counter set next_serial = 405", "the counter stands at serial 405 of block 4, the ledger at 406"},
            {"update gapless.counter set next_serial = 407", "the counter stands at serial 407 of block 4, the ledger at 406"},
            {"update gapless.counter set next_serial = 405, next_ordinal = 17", "the counter stands at serial 405 of block 4"},
            {"update gapless.counter set last_serial = 9999", "the counter ends at serial 9999, block 4 at 499"},
            {"update gapless.counter set last_serial = 410", "the counter ends at serial 410, block 4 at 499"},
            {"update gapless.counter set block_id = 5, next_serial = 600, last_serial = 699", "the counter stands at serial 600 of block 5"},
            {"update gapless.counter set block_id = null, next_serial = null, last_serial = null", "the ledger at 406 of block 4"},
            {"update gapless.counter set epoch = 0", "later epoch"},
            {"delete from gapless.counter", "counter: the series has none"},
        };
        for (auto const& [sql, finding] : cases)
        {
            auto const found = findings_after(sql);
            CHECK_MESSAGE(has(found, finding), sql, " -> ", found);
        }
    }

    TEST_CASE_FIXTURE(life, "a changed block is found")
    {
        tampering const cases[] = {
            {"update gapless.block set first_serial = 99 where block_id = 1", "block 1 starts at serial 100, not at its first"},
            {"update gapless.block set first_serial = 401 where block_id = 4", "block 4 starts at serial 400, not at its first"},
            {"update gapless.block set last_serial = 105 where block_id = 1", "block 1 counts as exhausted, but its ledger ends at serial 104"},
            {"update gapless.block set last_serial = 103 where block_id = 1", "block 1 went beyond its last serial to 104"},
            {"update gapless.block set last_serial = 404 where block_id = 4", "block 4 went beyond its last serial to 405"},
            {"update gapless.block set last_serial = 500 where block_id = 4", "the counter ends at serial 499, block 4 at 500"},
            {"update gapless.block set last_serial = 450 where block_id = 4", "the counter ends at serial 499, block 4 at 450"},
            {"update gapless.block set first_ordinal = 5 where block_id = 2", "block 2 starts at ordinal 6, but was opened at 5"},
            {"update gapless.block set first_ordinal = null where block_id = 2", "numbers of block 2, which was never opened"},
            {"update gapless.block set first_ordinal = 18 where block_id = 5", "block 5 counts as queued, but was opened at ordinal 18"},
            {"update gapless.block set state = 'queued' where block_id = 3", "block 3 counts as queued, but was opened at ordinal 10"},
            {"update gapless.block set state = 'queued' where block_id = 4", "block 4 counts as queued"},
            {"update gapless.block set state = 'exhausted' where block_id = 4", "block 4 counts as exhausted, but its ledger ends at serial 405"},
            {"update gapless.block set state = 'exhausted' where block_id = 2", "block 2 counts as exhausted"},
            {"update gapless.block set state = 'exhausted' where block_id = 5", "block 5 counts as exhausted, but was never opened"},
            {"drop index gapless.one_block_is_open; update gapless.block set state = 'open' where block_id = 5",
             "block 5 counts as open, but was never opened"},
            {"drop index gapless.one_block_is_open; update gapless.block set state = 'open' where block_id = 3", "block 3 is still open"},
            {"update gapless.block set state = 'closed', closed_serial = 406, closed_reason = 'x' where block_id = 4",
             "the counter stands at serial 406 of block 4"},
            {"update gapless.block set closed_serial = 205 where block_id = 2", "block 2 was closed at serial 205, but its ledger ends at 203"},
            {"update gapless.block set closed_serial = 203 where block_id = 2", "block 2 was closed at serial 203, but its ledger ends at 203"},
            {"update gapless.block set closed_serial = null where block_id = 2", "block 2 was closed"},
            {"update gapless.block set closed_serial = 750 where block_id = 6", "block 6 was closed at serial 750 without having been opened"},
            {"set constraints all deferred; update gapless.block set position = 8 - position", "block 2 was opened before a block ahead of it"},
            {"delete from gapless.block where block_id = 3", "numbers of block 3, which was never opened"},
            {"alter table gapless.block drop constraint blocks_of_a_space_do_not_overlap; "
             "update gapless.block set first_serial = 450 where block_id = 5",
             "block 5 (450…699) shares numbers with block 4 (400…499)"},
        };
        for (auto const& [sql, finding] : cases)
        {
            auto const found = findings_after(sql);
            CHECK_MESSAGE(has(found, finding), sql, " -> ", found);
        }
    }

    TEST_CASE_FIXTURE(life, "a broken issuance is found")
    {
        tampering const cases[] = {
            {"delete from gapless.issuance where ordinal = 4", "2 ranges continue an issuance, but issuances name 1"},
            {"truncate gapless.issuance", "2 ranges continue an issuance, but issuances name 0"},
            {"delete from gapless.ledger where ordinal = 6", "ordinal 4: the issuance there asked for 4 numbers, its ranges hold 2"},
            {"update gapless.issuance set count = 5 where ordinal = 4", "ordinal 4: the issuance there asked for 5 numbers"},
            {"update gapless.issuance set contiguous = true where ordinal = 4", "ordinal 4: the issuance there asked for one range, it has 2"},
            {"update gapless.issuance set range_ordinals = '{4,4}' where ordinal = 4", "ordinal 4: the issuance there names ranges that do not"},
            {"update gapless.issuance set range_ordinals = '{6,4}' where ordinal = 4", "ordinal 4: the issuance there names ranges that do not"},
            {"update gapless.issuance set range_ordinals = '{4,13}' where ordinal = 4", "ordinal 4: the issuance there names ranges that do not"},
            {"update gapless.issuance set ordinal = 5 where ordinal = 4", "ordinal 5: the issuance there"},
            {"update gapless.ledger set head_ordinal = 10 where ordinal = 6", "ordinal 4: the issuance there names ranges that do not"},
            {"update gapless.ledger set head_ordinal = null, head_turn = null, key = gen_random_uuid() where ordinal = 6",
             "1 ranges continue an issuance, but issuances name 2"},
            {"update gapless.ledger set head_ordinal = 13, head_turn = 0, key = null where ordinal = 15",
             "3 ranges continue an issuance, but issuances name 2"},
        };
        for (auto const& [sql, finding] : cases)
        {
            auto const found = findings_after(sql);
            CHECK_MESSAGE(has(found, finding), sql, " -> ", found);
        }
    }

    TEST_CASE_FIXTURE(life, "a guard that is gone or switched off is found")
    {
        CHECK(run("alter table gapless.ledger drop constraint key_is_spent_once; "
                  "alter table gapless.ledger disable trigger all; "
                  "update gapless.ledger l set key = o.key from gapless.ledger o where l.ordinal = 17 and o.ordinal = 15; "
                  "alter table gapless.ledger enable trigger all").empty());
        CHECK(verify() == "s guards: the constraint key_is_spent_once of gapless.ledger is gone or switched off");

        CHECK(run("alter table gapless.counter disable trigger counter_follows_the_ledger; "
                  "drop trigger ledger_is_append_only on gapless.ledger; "
                  "alter table gapless.block drop constraint blocks_of_a_space_do_not_overlap").empty());
        auto const found = verify();
        CHECK(has(found, "the trigger counter_follows_the_ledger of gapless.counter is gone"));
        CHECK(has(found, "the trigger ledger_is_append_only of gapless.ledger is gone"));
        CHECK(has(found, "the constraint blocks_of_a_space_do_not_overlap of gapless.block is gone"));
    }

    TEST_CASE_FIXTURE(life, "two open transactions, one verifying and one issuing, do not wait for each other")
    {
        pqxx::connection issuer{url()};
        pqxx::connection verifier{url()};
        test::run(verifier, "set lock_timeout = '2s'");
        test::run(issuer, "set lock_timeout = '2s'");

        pqxx::work issue_work{issuer};
        CHECK(test::text(issue_work.exec("select number from gapless.issue('s', 2)")) == "406 407");
        {
            pqxx::transaction<pqxx::repeatable_read, pqxx::read_only> verifying{verifier};
            CHECK(test::text(verifying.exec("select rows, findings from gapless.verify_series(1)")) == "10|[]");
            CHECK(test::text(issue_work.exec("select number from gapless.issue('s', 95)")).starts_with("408 409"));
            issue_work.commit();
            CHECK(test::text(verifying.exec("select rows, findings from gapless.verify_series(1)")) == "10|[]");
        }
        CHECK(run("select rows, findings from gapless.verify_series(1)") == "13|[]");
    }

    TEST_CASE_FIXTURE(life, "other series are not blamed")
    {
        create_series("t", {{5000, 5099}});
        issue("t", {"t", 3});
        run("alter table gapless.ledger disable trigger all; delete from gapless.ledger where series_id = 2; "
            "alter table gapless.ledger enable trigger all");

        CHECK(run("select count(*) from gapless.verify('s')") == "0");
        CHECK(run("select count(*) > 0 from gapless.verify('t')") == "t");
    }
}
