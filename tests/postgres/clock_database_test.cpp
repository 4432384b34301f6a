#include "harness/issuing.hpp"

#include <doctest/doctest.h>

namespace clock_test {

using namespace gapless;

/// Series s and t, and a clock that can have been wrong.
struct clocked : test::issuing
{
    clocked()
    {
        create_series("s", {{100, 104}, {200, 299}, {300, 399}});
        create_series("t", {{500, 599}});
        issue("s", {"first"});
        issue("t", {"opens"});
    }

    /// As if the clock had been 200 days ahead when the last numbers of s were issued.
    void run_ahead()
    {
        run("set local session_replication_role = replica; update gapless.ledger l set issued_at = "
            "issued_at + interval '200 days' from gapless.counter c where l.series_id = 1 and "
            "c.series_id = 1 and l.issued_at = c.last_issued_at; update gapless.counter set "
            "last_issued_at = last_issued_at + interval '200 days' where series_id = 1");
    }

    /// Whether the last numbers of s have the clock's moment.
    bool follows()
    {
        return run("select last_issued_at between clock_timestamp() - interval '1 minute' and "
                   "clock_timestamp() from gapless.counter where series_id = 1") == "t";
    }

    std::string window(std::string const& from, std::string const& to)
    {
        return run(
            "select count(*) from gapless.ledger_page(1, 0, 1000, null, " + from + ", " + to + ")"
        );
    }

    /// Whether the clock is believed by one who looked `last` ago by it, `elapsed` ago by its own.
    std::string look(std::string const& last, std::string const& elapsed)
    {
        return run(
            "select believed from gapless.clock_look(clock_timestamp() - interval '" + last +
            "', interval '" + elapsed + "')"
        );
    }

    std::string doubt()
    {
        return run("select doubted_at is not null from gapless.clock") +
               run("select not fine from gapless.health_checks(0) where name = 'clock'");
    }
};

TEST_SUITE("postgres/clock_database")
{
    TEST_CASE_FIXTURE(clocked, "a series goes back with a clock that was set back, whoever issues")
    {
        run_ahead();
        CHECK(run("select fine from gapless.health_checks(0) where name = 'last_stamps'") == "f");
        CHECK(issue_plain("s", {{"a"}}) == "nothing");
        CHECK(issue_plain_many({{"s", {"b"}}, {"t", {"b"}}}) == "t 501-501");
        CHECK(issue("s", {"c"}) == "101-101");
        CHECK(follows());
        CHECK(issue_plain("s", {{"d"}}) == "102-102");
        run_ahead();
        CHECK(issue("s", {"across", 4}) == "103-104 200-201");
        CHECK(follows());
        run_ahead();
        CHECK(issue("s", {.key = "h", .count = 2, .hold_seconds = 60}) == "202-203");
        CHECK(follows());
        CHECK(issue("s", {"e"}) == "204-204");
        run_ahead();
        run("select gapless.hold_settle(1, 0, 8, null, false, 'me')");
        CHECK(issue("s", {"again", 2}) == "202-203");
        CHECK(follows());
        CHECK(call_issue("s", 1, "sql") == "205");
        CHECK(run("select fine from gapless.health_checks(0) where name = 'last_stamps'") == "t");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(clocked, "less than an hour ahead is no step back")
    {
        run("set local session_replication_role = replica; update gapless.counter set "
            "last_issued_at = clock_timestamp() + interval '30 minutes' where series_id = 1");
        issue("s", {"a"});
        CHECK_FALSE(follows());
        CHECK(run("select count(*) from gapless.clock_step") == "0");
    }

    TEST_CASE_FIXTURE(clocked, "lists lose no number where the clock was set back")
    {
        issue("s", {"a"});
        issue("s", {"b", 2});
        run_ahead();
        issue("s", {"c"});
        run_ahead();
        issue("s", {"d"});
        CHECK(window("null", "clock_timestamp()") == "5");
        CHECK(window("clock_timestamp() - interval '1 hour'", "clock_timestamp()") == "5");
        CHECK(window("clock_timestamp()", "null") == "0");
        CHECK(
            run("select count(*) from gapless.issued_between(1, null, clock_timestamp())") == "1"
        );
    }

    TEST_CASE_FIXTURE(clocked, "what a clock that was ahead issued again counts from the step back")
    {
        issue("s", {.key = "h", .count = 1, .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 2, null, false, 'me')");
        CHECK(issue("s", {"again"}) == "101-101");
        run_ahead();
        CHECK(issue("s", {"b"}) == "102-102");
        auto const issued = [&](std::string const& from, std::string const& to) {
            return run("select * from gapless.issued_between(1, " + from + ", " + to + ")");
        };
        CHECK(issued("null", "clock_timestamp()") == "1|3");
        CHECK(issued("(select at from gapless.clock_step)", "clock_timestamp()") == "2|3");
        CHECK(issued("clock_timestamp()", "null").empty());
        CHECK(window("null", "clock_timestamp()") == "4");  // its first time is a row, too
        CHECK(window("clock_timestamp()", "null") == "0");
    }

    TEST_CASE_FIXTURE(clocked, "a clock that went further than time is doubted until it is right")
    {
        CHECK(look("1 hour", "1 hour") == "t");
        CHECK(look("3 minutes", "1 second") == "t");
        CHECK(doubt() == "ff");
        run("update gapless.clock set looked_at = clock_timestamp() - interval '200 days'");
        CHECK(look("200 days", "1 second") == "f");
        CHECK(doubt() == "tt");
        CHECK(look("1 second", "1 second") == "f");  // whoever began to look meanwhile
        CHECK(run("select believed from gapless.clock_look(null, null)") == "f");
        // It was set back.
        run("update gapless.clock set looked_at = clock_timestamp() - interval '4 seconds', "
            "doubted_at = clock_timestamp() + interval '200 days'");
        CHECK(look("4 seconds", "4 seconds") == "t");
        CHECK(doubt() == "ff");
    }

    TEST_CASE_FIXTURE(clocked, "a clock that jumps is doubted by one who has not looked for hours")
    {
        // Another one looked seconds ago, before the clock went an hour further.
        auto const jumped = "update gapless.clock set looked_at = clock_timestamp() - interval '1 "
                            "hour 5 seconds', doubted_at = null";
        run(jumped);
        CHECK(look("10 hours", "10 hours") == "t");
        run(jumped);
        CHECK(look("11 hours", "10 hours") == "f");
        CHECK(doubt() == "tt");
        // Somebody accepted it.
        run("update gapless.clock set looked_at = clock_timestamp() - interval '9 hours', "
            "doubted_at = null");
        CHECK(look("200 days", "10 hours") == "t");
    }

    TEST_CASE_FIXTURE(clocked, "nobody looked for a month: the clock is doubted until accepted")
    {
        run("update gapless.clock set looked_at = clock_timestamp() - interval '29 days'");
        CHECK(run("select believed from gapless.clock_look(null, null)") == "t");
        run("update gapless.clock set looked_at = clock_timestamp() - interval '31 days'");
        CHECK(run("select believed from gapless.clock_look(null, null)") == "f");
        CHECK_FALSE(run("select gapless.clock_accept('me')").empty());
        CHECK(look("31 days", "1 second") == "t");
        CHECK(run("select gapless.clock_accept('me')") == "refused: state-conflict");
        CHECK(
            run("select action from gapless.audit_log order by audit_id desc limit 1") ==
            "clock.accept"
        );
    }

    TEST_CASE_FIXTURE(clocked, "nothing ends by a clock that is doubted")
    {
        issue("s", {.key = "h", .count = 1, .hold_seconds = 60});
        run("set local session_replication_role = replica; update gapless.ledger set issued_at = "
            "issued_at - interval '1 hour'; update gapless.hold set expires_at = expires_at - "
            "interval '1 hour'; "
            "update gapless.block set valid_until = now() - interval '1 day' where block_id <= 2; "
            "update gapless.counter c set valid_until = b.valid_until from gapless.block b where "
            "b.block_id = c.block_id");
        run("update gapless.clock set looked_at = now() - interval '2 days', doubted_at = now()");
        CHECK(run("select * from gapless.sweep()") == "0|0");
        CHECK(run("select count(*) from gapless.open_holds()") == "1");
        CHECK(run("select fate from gapless.issuance_fates(1, 0, 2)") == "held");
        CHECK(issue("s", {.key = "h", .count = 1, .hold_seconds = 60}) == "again 101-101");
        CHECK(run("select gapless.answers_expire('0 s'), gapless.notices_expire('0 s')") == "0|0");
        CHECK(issue("s", {"a"}) == "102-102");
        CHECK(issue("s", {.key = "back", .count = 1, .hold_seconds = 60}) == "103-103");
        run("select gapless.series_change('s', '{\"on_release\":\"reissue\"}', null, 'test'), "
            "gapless.hold_settle(1, 0, 4, null, false, 'test')");
        CHECK(issue("s", {"b", 3}) == "103-103 104-104 200-200");

        run("select gapless.clock_accept('me')");
        CHECK(run("select * from gapless.sweep()") == "1|1");
        CHECK(issue("s", {"c"}) == "300-300");
        CHECK(verify() == "gapless");
    }
}

}  // namespace clock_test
