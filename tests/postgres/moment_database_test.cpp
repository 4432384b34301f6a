#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <charconv>

namespace moment_test {

using namespace gapless;

/// Series s and t, and a transaction of SQL that began before anything was issued from them.
struct old_transaction : test::issuing
{
    old_transaction()
    {
        create_series("s", {{100, 104}, {200, 299}, {300, 399}});
        create_series("t", {{500, 599}});
        issue("s", {"first"});
        old_.emplace(other_);
        execute(*old_, "select now()");
    }

    /// What the old transaction answers, as database::run shows it.
    std::string in_old(std::string const& sql)
    {
        try
        {
            return test::text(query_rows(*old_, sql));
        }
        catch (pqxx::sql_error const& error)
        {
            return test::text(error);
        }
    }

    void commit_old() { old_->commit(); }

    static int to_int(std::string_view digits)
    {
        int number = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        return number;
    }

    /// How many rows a reader finds in a window of time; ends are moments of SQL, both included.
    int read_window(std::string const& from, std::string const& to)
    {
        return to_int(run(
            "select count(*) from gapless.ledger_page(1, 0, 1000, null, " + from + ", " + to + ")"
        ));
    }

    /// The database's clock, as a moment of SQL.
    std::string clock() { return "timestamptz '" + run("select clock_timestamp()") + "'"; }

    /// Whether moments run backwards anywhere in the order in which numbers left.
    std::string backwards()
    {
        return run("select count(*) from (select issued_at < max(issued_at) over (partition by "
                   "series_id, turn > 0 order by turn, ordinal) as back from gapless.ledger) l "
                   "where l.back");
    }

    /// What the counter of s says of the last moment, as if the clock had said so.
    void set_moment(std::string const& moment)
    {
        run("set local session_replication_role = replica; update gapless.counter set "
            "last_issued_at = " +
            moment + " where series_id = 1");
    }

private:
    pqxx::connection other_{url()};
    std::optional<pqxx::work> old_;
};

TEST_SUITE("postgres/moment_database")
{
    TEST_CASE_FIXTURE(old_transaction, "windows of time lose no row beside an old transaction")
    {
        for (int n = 0; n < 20; ++n)
            issue("s", {"a" + std::to_string(n)});
        auto const noon = clock();
        auto found = read_window("null", noon);
        for (int n = 0; n < 5; ++n)
            CHECK(in_old("select count(*) from gapless.issue('s')") == "1");
        commit_old();
        for (int n = 0; n < 20; ++n)
            issue_plain("s", {{"b" + std::to_string(n)}});
        found += read_window(noon + " + interval '1 microsecond'", "null");

        CHECK(found == 46);
        CHECK(run("select count(*) from gapless.ledger") == "46");
        CHECK(backwards() == "0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(old_transaction, "a window after the last row that was seen loses none")
    {
        CHECK(in_old("select count(*) from gapless.issue('s')") == "1");
        auto const seen = "timestamptz '" + run("select max(issued_at) from gapless.ledger") + "'";
        CHECK(read_window("null", seen) == 1);
        commit_old();
        issue("s", {"a"});
        CHECK(read_window(seen, "null") == 3);
    }

    TEST_CASE_FIXTURE(
        old_transaction, "a hold of an old transaction lasts as long as was asked for"
    )
    {
        in_old("select from gapless.issue_ranges('s', 2, 'h', null, 60)");
        in_old("select from gapless.issue_ranges('s', 200, 'two blocks', null, 60)");
        commit_old();
        CHECK(
            run("select count(*) from gapless.hold h join gapless.ledger l using (series_id, turn, "
                "ordinal) where h.expires_at = l.issued_at + interval '60 s' and l.issued_at > "
                "now() "
                "- interval '10 min'") == "2"
        );
        CHECK(backwards() == "0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        old_transaction, "an old transaction issues nothing from a block past its time"
    )
    {
        run("set local session_replication_role = replica; "
            "update gapless.block set valid_until = clock_timestamp() where block_id <= 2; update "
            "gapless.counter c set valid_until = b.valid_until from gapless.block b where "
            "b.block_id = c.block_id");
        CHECK(in_old("select number from gapless.issue('s')") == "300");
        commit_old();
        CHECK(
            run("select block_id, state from gapless.block where series_id = 1 order by block_id"
            ) == "1|closed 2|closed 3|open"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        old_transaction, "numbers that came back say the moment they are issued again"
    )
    {
        issue("s", {.key = "h", .count = 2, .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 2, null, false, 'me')");
        issue("s", {"again"});
        CHECK(in_old("select number from gapless.issue('s')") == "102");
        commit_old();
        CHECK(backwards() == "0");
        CHECK(
            run("select count(*) from (select min(issued_at) filter (where turn = 2) > "
                "max(issued_at) filter (where turn < 2) as later from gapless.ledger) l where "
                "later") == "1"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        old_transaction, "where the clock was set back by minutes the last moment counts"
    )
    {
        set_moment("clock_timestamp() + interval '30 minutes'");
        issue("s", {"a"});
        issue_plain("s", {{"b"}, {"c"}});
        issue("s", {"d", 2});
        CHECK(issue_plain_many({{"s", {"f"}}, {"t", {"g"}}}) == "s 201-201, t 500-500");
        CHECK(issue_plain_many({{"s", {"h"}}, {"t", {"i"}}}) == "s 202-202, t 501-501");
        CHECK(issue("s", {.key = "j", .count = 2, .hold_seconds = 60}) == "203-204");
        run("select gapless.hold_settle(1, 0, 9, null, false, 'me')");
        CHECK(issue("s", {"k", 2}) == "203-204");
        CHECK(issue("s", {"l", 100}) == "205-299 300-304");
        run("select gapless.fence_raise('restored', 'me'); select gapless.epoch_fill(1, 120, "
            "false, "
            "'seen', 'me')");
        CHECK(
            run("select count(distinct issued_at) from gapless.ledger where series_id = 1 and "
                "ordinal > 1") == "1"
        );
        CHECK(
            run("select max(issued_at) < clock_timestamp() + interval '20 minutes' from "
                "gapless.ledger where series_id = 2") == "t"
        );
        CHECK(backwards() == "0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(old_transaction, "no row by hand says an earlier moment than the last")
    {
        auto const insert = [&](std::string const& ranges) {
            return run(
                "insert into gapless.ledger (series_id, block_id, ordinal, serial, count, key, "
                "issued_at, owner_id, epoch) select v.series_id, v.block_id, v.ordinal, v.serial, "
                "v.count, gen_random_uuid(), c.last_issued_at + v.later * interval '1 s', 1, 1 "
                "from "
                "(values " +
                ranges +
                ") v (series_id, block_id, ordinal, serial, count, later) join gapless.counter c "
                "using (series_id)"
            );
        };
        issue("t", {"opens"});
        run("select gapless.find_counter(1), gapless.find_counter(2)");
        std::string const refused = "23514 a range does not continue the ledger of its series";
        CHECK(insert("(1, 1, 2, 101, 1, -1)") == refused);
        CHECK(insert("(1, 1, 2, 101, 1, 1), (1, 1, 3, 102, 1, 0)") == refused);
        CHECK(insert("(1, 1, 2, 101, 2, -1), (1, 1, 4, 103, 1, -1)") == refused);
        CHECK(insert("(1, 1, 2, 101, 2, 0), (1, 1, 4, 103, 1, 1)") == refused);
        CHECK(insert("(1, 1, 2, 101, 1, 0), (2, 4, 2, 501, 1, -1)") == refused);
        CHECK(
            insert("(1, 1, 2, 101, 1, 0), (2, 4, 2, 501, 1, 0), (2, 4, 3, 502, 1, 1)") == refused
        );
        CHECK(insert("(1, 1, 2, 101, 4, -1), (1, 2, 6, 200, 1, -1)") == refused);
        CHECK(insert("(1, 1, 2, 101, 1, 0)").empty());
        CHECK(insert("(1, 1, 3, 102, 1, 1), (2, 4, 2, 501, 1, 1)").empty());
        CHECK(insert("(1, 1, 4, 103, 2, 0), (1, 2, 6, 200, 1, 0)").empty());
        CHECK(run("update gapless.counter set last_issued_at = '2020-01-01'").starts_with("23514"));
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(old_transaction, "a counter whose moment was put back is found")
    {
        set_moment("last_issued_at - interval '1 microsecond'");
        CHECK(
            verify().find("s counter: the counter says that numbers were issued until") !=
            std::string::npos
        );
    }

    TEST_CASE_FIXTURE(
        old_transaction, "a window of time finds what was issued again by its reference"
    )
    {
        issue("s", {.key = "h", .count = 2, .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 2, null, false, 'me')");
        issue("s", {"fresh", 3});
        auto const noon = clock();
        CHECK(issue("s", {"x", 1, "X"}).starts_with("10"));
        auto const find = [&](std::string const& from, std::string const& to) {
            return run(
                "select count(*) from gapless.ledger_page(1, 0, 10, 'X', " + from + ", " + to + ")"
            );
        };
        CHECK(find(noon, "null") == "1");
        CHECK(find("null", noon) == "0");
        CHECK(find("null", "null") == "1");
    }
}

}  // namespace moment_test
