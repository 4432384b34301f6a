#include "support/issuing.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace gapless;
using test::issuing;

// What somebody does who owns the tables and goes around the functions, at READ COMMITTED.
namespace {

struct owner : issuing
{
    /// Series 1 with 100-104 exhausted (block 1), 200-209 open with 200-201 gone (block 2) and 300-309 queued (block 3); then a
    /// series 2 of the same space with 500-509 (block 4, open).
    owner()
    {
        create_series("s", {{100, 104}, {200, 209}, {300, 309}});
        create_series("t", {{500, 509}});
        issue("s", {"a", 7});
        issue("t", {"b", 1});
    }

    /// Inserts ranges, each "(series, block, ordinal, serial, count)", in one statement with fresh keys.
    std::string insert(std::string const& ranges)
    {
        return run(
            "insert into gapless.ledger (series_id, block_id, ordinal, serial, count, key, issued_at, owner_id, epoch) "
            "select v.*, gen_random_uuid(), now(), 1, 1 from (values " + ranges + ") v"
        );
    }

    bool unchanged() { return verify() == "gapless" && run("select sum(count) from gapless.ledger") == "8"; }
};

bool starts_with_any(std::string const& text, std::initializer_list<char const*> prefixes)
{
    return std::ranges::any_of(prefixes, [&](auto const* prefix) { return text.starts_with(prefix); });
}

std::string const broken = "23514 a range does not continue the ledger of its series";

}  // namespace

TEST_SUITE("store/constraints")
{
    TEST_CASE_FIXTURE(owner, "a range that continues the ledger may be written by hand, and moves the counter")
    {
        CHECK(insert("(1, 2, 8, 202, 3)").empty());
        CHECK(insert("(1, 2, 11, 205, 1), (1, 2, 12, 206, 2)").empty());
        CHECK(issue("s", {"c"}) == "208-208");
        CHECK(verify() == "gapless");
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
        CHECK(insert("(1, 99, 8, 202, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 9)") == broken);
        CHECK(insert("(1, 2, 8, 202, 8), (1, 3, 16, 300, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 8), (1, 2, 16, 210, 1)") == broken);
        CHECK(unchanged());
        CHECK(insert("(1, 2, 8, 202, 8)").empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "no range has another series than its block, and a statement has one series")
    {
        CHECK(insert("(1, 4, 8, 501, 1)") == broken);
        CHECK(insert("(2, 2, 2, 202, 1)") == broken);
        CHECK(insert("(99, 2, 8, 202, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (2, 4, 2, 502, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (2, 4, 9, 503, 1)") == broken);
        CHECK(insert("(1, 2, 8, 202, 1), (2, 4, 2, 501, 1)") == broken);
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "no range is empty or runs downwards")
    {
        CHECK(insert("(1, 2, 8, 202, 0)").starts_with("23514"));
        CHECK(insert("(1, 2, 8, 202, -1)").starts_with("23514"));
        CHECK(insert("(1, 2, 8, 202, 2), (1, 2, 10, 204, 0)").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "no range leaves in a second turn, as nothing is ever given back")
    {
        auto const again = [&](std::string const& turn, std::string const& ordinal, std::string const& serial) {
            return run(
                "insert into gapless.ledger (series_id, block_id, turn, ordinal, serial, count, key, issued_at, owner_id, epoch) "
                "values (1, 2, " + turn + ", " + ordinal + ", " + serial + ", 1, gen_random_uuid(), now(), 1, 1)"
            );
        };
        CHECK(again("1", "7", "201") == broken);
        CHECK(again("1", "8", "202") == broken);
        CHECK(again("-1", "8", "202").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "every range has a key or the issuance it belongs to, and a key is spent once")
    {
        auto const insert_with = [&](std::string const& key, std::string const& head_ordinal, std::string const& head_turn) {
            return run(
                "insert into gapless.ledger (series_id, block_id, ordinal, serial, count, key, head_ordinal, head_turn, issued_at, "
                "owner_id, epoch) values (1, 2, 8, 202, 1, " + key + ", " + head_ordinal + ", " + head_turn + ", now(), 1, 1)"
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
        CHECK(set("next_ordinal = next_ordinal + 1, next_serial = next_serial + 1").starts_with("23514"));
        CHECK(set("next_ordinal = next_ordinal - 1, next_serial = next_serial - 1").starts_with("23514"));
        CHECK(set("next_serial = next_serial + 1").starts_with("23514"));
        CHECK(set("next_ordinal = next_ordinal + 1").starts_with("23514"));
        CHECK(set("next_serial = 210").starts_with("23514"));
        CHECK(set("last_serial = 300").starts_with("23503"));
        CHECK(set("last_serial = 205").starts_with("23503"));
        CHECK(set("next_serial = null").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "the counter does not turn to another block before its own is used up")
    {
        CHECK(run("update gapless.counter set block_id = 3, next_serial = 300, last_serial = 309 where series_id = 1")
                  .starts_with("23514 block 2 still has numbers from 202 on"));
        CHECK(run("update gapless.counter set block_id = 1, next_serial = 100, last_serial = 104 where series_id = 1")
                  .starts_with("23514"));
        CHECK(run("update gapless.counter set block_id = null, next_serial = null, last_serial = null where series_id = 1")
                  .starts_with("23514"));

        issue("s", {"c", 8});  // uses up block 2
        CHECK(run("update gapless.counter set block_id = 3, next_serial = 300, last_serial = 309 where series_id = 1") ==
              "23514 block 3 is not open at its first number");
        CHECK(run("update gapless.counter set block_id = 1, next_serial = 100, last_serial = 104 where series_id = 1") ==
              "23514 block 1 is not open at its first number");
        CHECK(run("update gapless.counter set block_id = 4, next_serial = 500, last_serial = 509 where series_id = 1")
                  .starts_with("23514"));
        CHECK(run("update gapless.block set state = 'exhausted' where block_id = 2; "
                  "update gapless.block set state = 'open', first_ordinal = 16 where block_id = 3; "
                  "update gapless.counter set block_id = 3, next_serial = 301, last_serial = 309 where series_id = 1")
                  .starts_with("23514"));
        CHECK(issue("s", {"d"}) == "300-300");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "blocks of one space do not overlap, whatever their state and series")
    {
        run("select gapless.block_close(3, 'misprinted', 'me')");
        auto const insert_block = [&](int series, std::string const& space, int first, int last) {
            return run(
                "insert into gapless.block (series_id, space, first_serial, last_serial, position, loaded_by) values (" +
                std::to_string(series) + ", '" + space + "', " + std::to_string(first) + ", " + std::to_string(last) + ", 99, 'me')"
            );
        };
        for (int const series : {1, 2})
        {
            CAPTURE(series);
            CHECK(insert_block(series, "carrier", 100, 104).starts_with("23P01"));  // the same; exhausted
            CHECK(insert_block(series, "carrier", 102, 103).starts_with("23P01"));  // inside
            CHECK(insert_block(series, "carrier", 50, 150).starts_with("23P01"));   // around
            CHECK(insert_block(series, "carrier", 104, 110).starts_with("23P01"));  // last touches first
            CHECK(insert_block(series, "carrier", 90, 100).starts_with("23P01"));   // first touches last
            CHECK(insert_block(series, "carrier", 209, 209).starts_with("23P01"));  // open
            CHECK(insert_block(series, "carrier", 305, 305).starts_with("23P01"));  // closed
            CHECK(insert_block(series, "carrier", 509, 600).starts_with("23P01"));  // another series'
            CHECK(insert_block(series, "elsewhere", 100, 104).starts_with("23503"));
        }
        CHECK(insert_block(1, "carrier", 105, 199).empty());
        create_series("u", {{100, 104}, {200, 209}}, "elsewhere");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(owner, "a block runs upwards and leaves room for its successor")
    {
        auto const insert_block = [&](std::string const& first, std::string const& last) {
            return run(
                "insert into gapless.block (series_id, space, first_serial, last_serial, position, loaded_by) values (1, 'carrier', " +
                first + ", " + last + ", 99, 'me')"
            );
        };
        CHECK(insert_block("1001", "1000") .starts_with("23514"));
        CHECK(insert_block("-1", "10").starts_with("23514"));
        CHECK(starts_with_any(insert_block("1000", "9223372036854775807"), {"23514", "22003"}));
        CHECK(insert_block("1000", "9223372036854775806").empty());
    }

    TEST_CASE_FIXTURE(owner, "a loaded block keeps its ends, its series and its first ordinal")
    {
        for (int block = 1; block <= 3; ++block)
        {
            CAPTURE(block);
            auto const set = [&](std::string const& columns) {
                return run("update gapless.block set " + columns + " where block_id = " + std::to_string(block));
            };
            CHECK(set("last_serial = last_serial - 1").starts_with("23514"));
            CHECK(set("last_serial = last_serial + 1").starts_with("23514"));
            CHECK(set("first_serial = first_serial - 1").starts_with("23514"));
            CHECK(set("first_serial = first_serial + 1").starts_with("23514"));
            CHECK(set("first_serial = 1000, last_serial = 1004").starts_with("23514"));
            CHECK(set("series_id = 2").starts_with("23514"));
            CHECK(set("first_ordinal = 77").starts_with("23514"));
            CHECK(set("first_ordinal = null, state = 'queued'").starts_with(block == 3 ? "" : "23514"));
            CHECK(run("delete from gapless.block where block_id = " + std::to_string(block)).starts_with("42501"));
        }
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "a block never goes back, and follows its counter")
    {
        auto const set = [&](int block, std::string const& columns) {
            return run("update gapless.block set " + columns + " where block_id = " + std::to_string(block));
        };
        CHECK(set(1, "state = 'open'").starts_with("23514"));
        CHECK(set(1, "state = 'closed', closed_serial = 103, closed_reason = 'x'").starts_with("23514"));
        CHECK(set(2, "state = 'exhausted'").starts_with("23514"));
        CHECK(set(2, "state = 'closed', closed_serial = 205, closed_reason = 'x'").starts_with("23514"));
        CHECK(set(2, "state = 'closed', closed_serial = 200, closed_reason = 'x'").starts_with("23514"));
        CHECK(set(2, "state = 'closed', closed_serial = 202").starts_with("23514"));
        CHECK(set(2, "state = 'lost'").starts_with("23514"));
        CHECK(set(3, "state = 'exhausted', first_ordinal = 8").starts_with("23514"));
        CHECK(set(3, "state = 'closed', closed_serial = 305, closed_reason = 'x'").starts_with("23514"));
        CHECK(set(3, "state = 'open', first_ordinal = 9").starts_with("23514"));
        CHECK(unchanged());

        run("select gapless.block_close(3, 'misprinted', 'me')");
        CHECK(set(3, "state = 'queued', closed_serial = null, closed_reason = null").starts_with("23514"));
        CHECK(set(3, "closed_serial = 309").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "one block of a series is open at a time, and blocks are loaded queued")
    {
        CHECK(run("update gapless.block set state = 'open', first_ordinal = 8 where block_id = 3").starts_with("23505"));
        CHECK(run("insert into gapless.block (series_id, space, first_serial, last_serial, position, state, first_ordinal, loaded_by) "
                  "values (1, 'carrier', 800, 809, 99, 'open', 8, 'me')").starts_with("23514"));
        CHECK(run("insert into gapless.block (series_id, space, first_serial, last_serial, position, state, first_ordinal, loaded_by) "
                  "values (1, 'carrier', 800, 809, 99, 'exhausted', 1, 'me')").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "tables of record take no update, delete or truncate")
    {
        for (std::string const table : {"ledger", "issuance", "audit_log", "epoch", "token_owner"})
        {
            CAPTURE(table);
            auto const name = std::string{"gapless."} + table;
            auto const column = run(
                "select attname from pg_attribute where attrelid = '" + name + "'::regclass and attnum = 2"
            );
            CHECK(run("update " + name + " set " + column + " = " + column).starts_with("42501"));
            CHECK(run("update " + name + " set " + column + " = " + column + " where false").starts_with("42501"));
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
        CHECK(run("insert into gapless.ledger select * from gapless.ledger on conflict (series_id, turn, ordinal) "
                  "do update set serial = 1").starts_with("42501"));
        CHECK(unchanged());
    }
}
