#include "harness/owner.hpp"

#include <doctest/doctest.h>

namespace constraints_test {

using namespace gapless;
using test::owner;
using test::starts_with_any;

std::string const broken = "23514 a range does not continue the ledger of its series";

TEST_SUITE("ledger/constraints_database")
{
    TEST_CASE_FIXTURE(
        owner, "a range that continues the ledger may be written by hand, and moves the counter"
    )
    {
        CHECK(insert("(1, 2, 8, 202, 3)").empty());
        CHECK(insert("(1, 2, 11, 205, 1), (1, 2, 12, 206, 2)").empty());
        CHECK(insert("(1, 2, 14, 208, 1), (1, 2, 15, 209, 1)").empty());
        CHECK(issue("s", {"c"}) == "300-300");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "ranges of one length continue the ledger in any order")
    {
        CHECK(insert("(1, 2, 12, 206, 2), (1, 2, 8, 202, 2), (1, 2, 10, 204, 2)").empty());
        CHECK(issue("s", {"c"}) == "208-208");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "ranges of one length leave no gap and take nothing twice")
    {
        CHECK(insert("(1, 2, 8, 202, 2), (1, 2, 11, 205, 2)") == broken);
        CHECK(insert("(1, 2, 8, 202, 2), (1, 2, 12, 206, 2)") == broken);
        // As many rows as fit between the first and the last, and yet a gap and an overlap.
        CHECK(insert("(1, 2, 8, 202, 2), (1, 2, 9, 203, 2), (1, 2, 12, 206, 2)") == broken);
        CHECK(insert("(1, 2, 8, 202, 2), (1, 2, 10, 205, 2)") == broken);
        CHECK(insert("(1, 2, 8, 202, 2), (1, 3, 10, 204, 2)") == broken);
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "no range leaves a gap")
    {
        CHECK(insert("(1, 2, 8, 203, 1)") == broken);
        CHECK(insert("(1, 2, 9, 203, 1)") == broken);
        CHECK(insert("(1, 2, 9, 202, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (1, 2, 10, 204, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (1, 2, 9, 204, 1)") == broken);
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "no number leaves twice")
    {
        CHECK(insert("(1, 2, 8, 201, 1)") == broken);
        CHECK(insert("(1, 2, 7, 201, 1)") == broken);
        CHECK(starts_with_any(insert("(1, 2, 6, 200, 2)"), {"23505", "23514"}));
        CHECK(insert("(1, 2, 8, 202, 3), (1, 2, 10, 204, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 2), (1, 2, 9, 203, 2)") == broken);
        CHECK(insert("(1, 2, 8, 202, 3), (1, 2, 9, 203, 1), (1, 2, 12, 206, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (1, 2, 8, 202, 1)").starts_with("23505"));
        CHECK(insert("(1, 2, 1, 100, 1)").starts_with("23505"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "no ordinal is out of line, negative or out of reach")
    {
        CHECK(insert("(1, 2, 7, 202, 1)") == broken);
        CHECK(insert("(1, 2, 100, 202, 1)") == broken);
        CHECK(insert("(1, 2, 0, 202, 1)").starts_with("23514"));
        CHECK(insert("(1, 2, -8, 202, 1)").starts_with("23514"));
        CHECK(starts_with_any(insert("(1, 2, 9223372036854775807, 202, 1)"), {"22003", "23514"}));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "no range lies in another block, beyond the block or in none")
    {
        CHECK(insert("(1, 1, 8, 202, 1)") == broken);
        CHECK(insert("(1, 3, 8, 300, 1)") == broken);
        CHECK(insert("(1, 3, 8, 202, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (1, 3, 9, 203, 1)") == broken);
        CHECK(insert("(1, 99, 8, 202, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 9)") == broken);
        CHECK(insert("(1, 2, 8, 202, 8), (1, 2, 16, 210, 1)") == broken);
        CHECK(unchanged());
        CHECK(insert("(1, 2, 8, 202, 8)").empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "no range has another series than its block")
    {
        CHECK(insert("(1, 4, 8, 501, 1)") == broken);
        CHECK(insert("(2, 2, 2, 202, 1)") == broken);
        CHECK(insert("(99, 2, 8, 202, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (2, 2, 9, 203, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (2, 4, 9, 503, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (2, 4, 2, 502, 1)") == broken);
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "a statement may continue several series")
    {
        CHECK(insert("(1, 2, 8, 202, 1), (2, 4, 2, 501, 1)").empty());
        CHECK(insert("(1, 2, 9, 203, 1), (2, 4, 3, 502, 2), (1, 2, 10, 204, 1)").empty());
        CHECK(issue("s", {"c"}) == "205-205");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "several series are continued together or not at all")
    {
        std::string const even = ", (2, 4, 2, 501, 1), (2, 4, 3, 502, 1)";
        CHECK(insert("(1, 2, 8, 202, 1), (1, 2, 10, 204, 1)" + even) == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (1, 2, 9, 204, 1)" + even) == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (1, 4, 9, 203, 1)" + even) == broken);
        // In line with the counter, but said to be of another block: queued, used up, unknown.
        CHECK(insert("(1, 3, 8, 202, 1)" + even) == broken);
        CHECK(insert("(1, 1, 8, 202, 1)" + even) == broken);
        CHECK(insert("(1, 99, 8, 202, 1)" + even) == broken);
        CHECK(insert("(1, 3, 8, 202, 1), (1, 3, 9, 203, 2)" + even) == broken);
        CHECK(insert("(1, 2, 9, 203, 1), (1, 2, 10, 204, 1)" + even) == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (1, 2, 10, 204, 2)" + even) == broken);
        CHECK(insert("(1, 2, 8, 202, 2), (1, 2, 9, 203, 1)" + even) == broken);
        CHECK(insert("(1, 2, 8, 202, 7), (1, 2, 15, 209, 7)" + even) == broken);
        CHECK(unchanged());

        CHECK(insert("(1, 2, 8, 202, 1), (1, 2, 9, 203, 2)" + even).empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "nor in another block by a session that knows where the counters lie")
    {
        CHECK(insert("(1, 2, 8, 202, 1), (2, 4, 2, 501, 1)").empty());  // from now on it does
        std::string const even = ", (2, 4, 3, 502, 1)";
        for (std::string const block : {"3", "1", "99", "4"})
        {
            CAPTURE(block);
            CHECK(insert("(1, " + block + ", 9, 203, 1)") == broken);
            CHECK(insert("(1, " + block + ", 9, 203, 1)" + even) == broken);
            CHECK(
                insert("(1, " + block + ", 9, 203, 1), (1, " + block + ", 10, 204, 2)" + even) ==
                broken
            );
        }
        CHECK(insert("(1, 2, 9, 203, 1)" + even).empty());
        CHECK(issue("s", {"c"}) == "204-204");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "no range is empty or runs downwards")
    {
        CHECK(insert("(1, 2, 8, 202, 0)").starts_with("23514"));
        CHECK(insert("(1, 2, 8, 202, -1)").starts_with("23514"));
        CHECK(insert("(1, 2, 8, 202, 2), (1, 2, 10, 204, 0)").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "a number leaves in a second turn only while it is free")
    {
        auto const again =
            [&](std::string const& turn, std::string const& ordinal, std::string const& serial) {
                return run(
                    "insert into gapless.ledger (series_id, block_id, turn, ordinal, serial, "
                    "count, key, issued_at, owner_id, epoch) "
                    "values (1, 2, " +
                    turn + ", " + ordinal + ", " + serial + ", 1, gen_random_uuid(), now(), 1, 1)"
                );
            };
        CHECK(again("1", "7", "201") == "23514 ordinals 7 to 7 are not free to be issued again");
        CHECK(again("1", "8", "202") == "23514 ordinals 8 to 8 are not free to be issued again");
        CHECK(again("-1", "8", "202").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(
        owner, "every range has a key or the issuance it belongs to, and a key is spent once"
    )
    {
        auto const insert_with = [&](std::string const& key,
                                     std::string const& head_ordinal,
                                     std::string const& head_turn) {
            return run(
                "insert into gapless.ledger (series_id, block_id, ordinal, serial, count, key, "
                "head_ordinal, head_turn, issued_at, "
                "owner_id, epoch) values (1, 2, 8, 202, 1, " +
                key + ", " + head_ordinal + ", " + head_turn + ", now(), 1, 1)"
            );
        };
        CHECK(insert_with("null", "null", "null").starts_with("23514"));
        CHECK(insert_with("gen_random_uuid()", "1", "0").starts_with("23514"));
        CHECK(insert_with("null", "1", "null").starts_with("23514"));
        CHECK(insert_with("null", "null", "0").starts_with("23514"));
        CHECK(insert_with("gen_random_uuid()", "null", "0").starts_with("23514"));
        CHECK(insert_with("gapless.key_to_uuid('a')", "null", "null").starts_with("23505"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "an empty insert is no harm")
    {
        CHECK(run("insert into gapless.ledger select * from gapless.ledger where false").empty());
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "the counter is not moved by hand")
    {
        auto const set = [&](std::string const& columns) {
            return run("update gapless.counter set " + columns + " where series_id = 1");
        };
        CHECK(set("next_ordinal = next_ordinal + 1, next_serial = next_serial + 1")
                  .starts_with("23514"));
        CHECK(set("next_ordinal = next_ordinal - 1, next_serial = next_serial - 1")
                  .starts_with("23514"));
        CHECK(set("next_serial = next_serial + 1").starts_with("23514"));
        CHECK(set("next_ordinal = next_ordinal + 1").starts_with("23514"));
        CHECK(set("next_serial = 210").starts_with("23514"));
        CHECK(set("last_serial = 300").starts_with("23503"));
        CHECK(set("last_serial = 205").starts_with("23503"));
        CHECK(set("next_serial = null").starts_with("23514"));
        CHECK(set("valid_until = now()").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "the counter does not turn to another block before its own is used up")
    {
        CHECK(run("update gapless.counter set block_id = 3, next_serial = 300, last_serial = 309 "
                  "where series_id = 1")
                  .starts_with("23514 block 2 still has numbers from 202 on"));
        CHECK(run("update gapless.counter set block_id = 1, next_serial = 100, last_serial = 104 "
                  "where series_id = 1")
                  .starts_with("23514"));
        CHECK(run("update gapless.counter set block_id = null, next_serial = null, last_serial = "
                  "null where series_id = 1")
                  .starts_with("23514"));

        issue("s", {"c", 8});  // uses up block 2
        CHECK(
            run("update gapless.counter set block_id = 3, next_serial = 300, last_serial = 309 "
                "where series_id = 1") == "23514 block 3 is not open at its first number"
        );
        CHECK(
            run("update gapless.counter set block_id = 1, next_serial = 100, last_serial = 104 "
                "where series_id = 1") == "23514 block 1 is not open at its first number"
        );
        CHECK(run("update gapless.counter set block_id = 4, next_serial = 500, last_serial = 509 "
                  "where series_id = 1")
                  .starts_with("23514"));
        CHECK(run("update gapless.block set state = 'exhausted' where block_id = 2; "
                  "update gapless.block set state = 'open', first_ordinal = 16 where block_id = 3; "
                  "update gapless.counter set block_id = 3, next_serial = 301, last_serial = 309 "
                  "where series_id = 1")
                  .starts_with("23514"));
        CHECK(issue("s", {"d"}) == "300-300");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "tables of record take no update, delete or truncate")
    {
        for (std::string const table : {"ledger", "issuance", "audit_log", "epoch", "token_owner"})
        {
            CAPTURE(table);
            auto const name = std::string{"gapless."} + table;
            auto const column =
                run("select attname from pg_attribute where attrelid = '" + name +
                    "'::regclass and attnum = 2");
            CHECK(run("update " + name + " set " + column + " = " + column).starts_with("42501"));
            CHECK(run("update " + name + " set " + column + " = " + column + " where false")
                      .starts_with("42501"));
            CHECK(run("delete from " + name).starts_with("42501"));
            CHECK(run("truncate " + name + " cascade").starts_with("42501"));
        }
        for (std::string const table : {"block", "series", "counter"})
        {
            CAPTURE(table);
            CHECK(run(std::string{"delete from gapless."} + table).starts_with("42501"));
            CHECK(run(std::string{"truncate gapless."} + table + " cascade").starts_with("42501"));
        }
        CHECK(run("truncate gapless.carrier cascade").starts_with("42501"));
        CHECK(run("insert into gapless.ledger select * from gapless.ledger on conflict (series_id, "
                  "turn, ordinal) "
                  "do update set serial = 1")
                  .starts_with("42501"));
        CHECK(unchanged());
    }
}

}  // namespace constraints_test
