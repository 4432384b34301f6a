#include "harness/issuing.hpp"

#include <doctest/doctest.h>

namespace come_back_test {

using namespace gapless;
using test::issuing;

struct come_back : issuing
{
    std::string hold(std::string const& key, int count)
    {
        return issue("s", {.key = key, .count = count, .hold_seconds = 3600});
    }

    std::string release(std::int64_t ordinal, std::string const& numbers = "")
    {
        return run(
            "select gapless.hold_settle(1, 0, " + std::to_string(ordinal) + ", " +
            (numbers.empty() ? "null" : "'{" + numbers + "}'") + ", false, 'me')"
        );
    }

    /// A statement that puts numbers out again by hand, each "(turn, ordinal, serial)".
    std::string put_out(std::string const& rows)
    {
        return run(
            "insert into gapless.ledger (series_id, count, turn, ordinal, serial, key, issued_at, "
            "block_id, owner_id, epoch) select 1, 1, v.*, gen_random_uuid(), now(), 1, 1, 1 from "
            "(values " +
            rows + ") v"
        );
    }

    std::string report(std::string const& columns, std::int64_t serial)
    {
        return run(
            "select " + columns + " from gapless.number_report(1, " + std::to_string(serial) + ")"
        );
    }
};

TEST_SUITE("epochs/come_back_database")
{
    TEST_CASE_FIXTURE(come_back, "a hold keeps its numbers over many thousands")
    {
        create_series("s", {{100, 99'999}});
        issue("s", {"opens the block"});
        CHECK(hold("h", 10'000) == "101-10100");
        CHECK(report("state", 9'000) == "held");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(come_back, "what is put out again by hand has to be free, once, in its turn")
    {
        create_series("s", {{100, 199}});
        hold("h", 4);
        release(1, "[1,3)");

        CHECK(put_out("(1, 3, 102)") == "refused: state-conflict");
        CHECK(put_out("(2, 1, 100)").starts_with("23514 "));
        CHECK(put_out("(1, 1, 100), (2, 1, 100)").starts_with("23514 "));
        CHECK(put_out("(1, 1, 101)").starts_with("23514 "));
        CHECK(put_out("(1, 1, 100), (2, 2, 101)").empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(come_back, "a number that left again is told with its latest request")
    {
        create_series("s", {{100, 199}});
        issue("s", {.key = "h", .count = 1, .reference = "first", .hold_seconds = 3600});
        release(1);
        CHECK(run("select remaining, next from gapless.series_report('s')") == "100|100");
        issue("s", {.key = "a", .reference = "second"});
        CHECK(report("turn, reference", 100) == "1|second");
        CHECK(run("select remaining, next from gapless.series_report('s')") == "99|101");
    }

    TEST_CASE_FIXTURE(come_back, "numbers that are held or wait are not loaded again")
    {
        create_series("s", {{100, 103}, {200, 203}, {300, 303}});
        hold("h", 12);
        release(1, "[1,2)");
        run("select gapless.hold_settle(1, 0, 1, '{[5,13)}', true, 'me'); select "
            "gapless.series_change('s', '{\"reuse_after\": \"1 hour\"}', null, 'me'); set local "
            "session_replication_role = replica; update gapless.ledger set issued_at = issued_at - "
            "interval '2 hours'; update gapless.number_event set at = at - interval '2 hours'; "
            "update gapless.hold set expires_at = expires_at - interval '2 "
            "hours' where isempty(held)");
        auto const load = [&](std::string const& ends) {
            return run("select gapless.block_load('s', " + ends + ", null, null, null, 'me')");
        };
        CHECK(load("100, 103") == "refused: block-overlap");
        run("select gapless.hold_settle(1, 0, 1, null, true, 'me')");
        CHECK(load("100, 103") == "refused: block-overlap");
        CHECK(issue("s", {"a"}) == "100-100");
        CHECK(load("200, 203") == "4");
    }

    TEST_CASE_FIXTURE(come_back, "a block whose last number left is exhausted")
    {
        create_series("s", {{100, 101}});
        issue("s", {"a", 1});
        CHECK(run("select state from gapless.block_report()") == "open");
        issue("s", {"b", 1});
        CHECK(run("select state, remaining from gapless.block_report()") == "exhausted|0");
    }
}

}  // namespace come_back_test
