#include "harness/owner.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::owner;
using test::starts_with_any;

TEST_SUITE("blocks/block_constraints_database")
{
    TEST_CASE_FIXTURE(owner, "blocks of one space do not overlap, whatever their state and series")
    {
        run("select gapless.block_close(3, 'misprinted', 'me')");
        auto const insert_block = [&](int series, std::string const& space, int first, int last) {
            return run(
                "insert into gapless.block (series_id, space, first_serial, last_serial, position, "
                "loaded_by) values (" +
                std::to_string(series) + ", '" + space + "', " + std::to_string(first) + ", " +
                std::to_string(last) + ", 99, 'me')"
            );
        };
        for (int const series : {1, 2})
        {
            CAPTURE(series);
            CHECK(insert_block(series, "carrier", 100, 104).starts_with("23P01")
            );  // the same; exhausted
            CHECK(insert_block(series, "carrier", 102, 103).starts_with("23P01"));  // inside
            CHECK(insert_block(series, "carrier", 50, 150).starts_with("23P01"));   // around
            CHECK(insert_block(series, "carrier", 104, 110).starts_with("23P01")
            );  // last touches first
            CHECK(insert_block(series, "carrier", 90, 100).starts_with("23P01")
            );  // first touches last
            CHECK(insert_block(series, "carrier", 209, 209).starts_with("23P01"));  // open
            CHECK(insert_block(series, "carrier", 305, 305).starts_with("23P01"));  // closed
            CHECK(insert_block(series, "carrier", 509, 600).starts_with("23P01")
            );  // another series'
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
                "insert into gapless.block (series_id, space, first_serial, last_serial, position, "
                "loaded_by) values (1, 'carrier', " +
                first + ", " + last + ", 99, 'me')"
            );
        };
        CHECK(insert_block("1001", "1000").starts_with("23514"));
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
                return run(
                    "update gapless.block set " + columns +
                    " where block_id = " + std::to_string(block)
                );
            };
            CHECK(set("last_serial = last_serial - 1").starts_with("23514"));
            CHECK(set("last_serial = last_serial + 1").starts_with("23514"));
            CHECK(set("first_serial = first_serial - 1").starts_with("23514"));
            CHECK(set("first_serial = first_serial + 1").starts_with("23514"));
            CHECK(set("first_serial = 1000, last_serial = 1004").starts_with("23514"));
            CHECK(set("series_id = 2").starts_with("23514"));
            CHECK(set("first_ordinal = 77").starts_with("23514"));
            CHECK(
                set("first_ordinal = null, state = 'queued'").starts_with(block == 3 ? "" : "23514")
            );
            CHECK(run("delete from gapless.block where block_id = " + std::to_string(block))
                      .starts_with("42501"));
        }
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(owner, "a block never goes back, and follows its counter")
    {
        auto const set = [&](int block, std::string const& columns) {
            return run(
                "update gapless.block set " + columns + " where block_id = " + std::to_string(block)
            );
        };
        CHECK(set(1, "state = 'open'").starts_with("23514"));
        CHECK(set(1, "state = 'closed', closed_serial = 103, closed_reason = 'x'")
                  .starts_with("23514"));
        CHECK(set(2, "state = 'exhausted'").starts_with("23514"));
        CHECK(set(2, "state = 'closed', closed_serial = 205, closed_reason = 'x'")
                  .starts_with("23514"));
        CHECK(set(2, "state = 'closed', closed_serial = 200, closed_reason = 'x'")
                  .starts_with("23514"));
        CHECK(set(2, "state = 'closed', closed_serial = 202").starts_with("23514"));
        CHECK(set(2, "state = 'lost'").starts_with("23514"));
        CHECK(set(3, "state = 'exhausted', first_ordinal = 8").starts_with("23514"));
        CHECK(set(3, "state = 'closed', closed_serial = 305, closed_reason = 'x'")
                  .starts_with("23514"));
        CHECK(set(3, "state = 'open', first_ordinal = 9").starts_with("23514"));
        CHECK(unchanged());

        run("select gapless.block_close(3, 'misprinted', 'me')");
        CHECK(set(3, "state = 'queued', closed_serial = null, closed_reason = null")
                  .starts_with("23514"));
        CHECK(set(3, "closed_serial = 309").starts_with("23514"));
        CHECK(unchanged());
    }

    TEST_CASE_FIXTURE(
        owner, "one block of a series is open at a time, and blocks are loaded queued"
    )
    {
        CHECK(run("update gapless.block set state = 'open', first_ordinal = 8 where block_id = 3")
                  .starts_with("23505"));
        CHECK(run("insert into gapless.block (series_id, space, first_serial, last_serial, "
                  "position, state, first_ordinal, loaded_by) "
                  "values (1, 'carrier', 800, 809, 99, 'open', 8, 'me')")
                  .starts_with("23514"));
        CHECK(run("insert into gapless.block (series_id, space, first_serial, last_serial, "
                  "position, state, first_ordinal, loaded_by) "
                  "values (1, 'carrier', 800, 809, 99, 'exhausted', 1, 'me')")
                  .starts_with("23514"));
        CHECK(unchanged());
    }
}
