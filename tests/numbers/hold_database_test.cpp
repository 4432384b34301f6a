#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace hold_test {

using namespace gapless;

struct fixture : test::issuing
{
    std::int32_t id{create_series("s", {{100, 104}, {900, 909}})};

    /// Holds numbers as the command line does; "serial+count serial+count", or the refusal.
    std::string hold(std::string const& key, int count, int seconds = 600)
    {
        return run(
            "select string_agg(serial || '+' || count, ' ' order by ordinal) from "
            "gapless.issue_ranges('s', " +
            std::to_string(count) + ", '" + key + "', null, " + std::to_string(seconds) + ")"
        );
    }

    /// How the numbers of a key stand that was spent on a hold; "again held 100+2 released 102+1".
    std::string fates(std::string const& key, int count, int seconds = 600)
    {
        return run(
            "select case when bool_and(replayed) then 'again ' else '' end || "
            "string_agg(coalesce(fate, 'untouched') || ' ' || serial || '+' || count, ' ') from "
            "gapless.issue_ranges('s', " +
            std::to_string(count) + ", '" + key + "', null, " + std::to_string(seconds) + ")"
        );
    }

    std::string issue_one()
    {
        return run("select serial from gapless.issue_ranges('s', 1, null, null)");
    }

    /// Settles ordinals ("[3,5)"; empty: all that is held) of the hold that begins at an ordinal.
    std::string settle(
        bool confirm, std::int64_t ordinal, std::string const& numbers = "", int turn = 0
    )
    {
        return run(
            "select gapless.hold_settle(1, " + std::to_string(turn) + ", " +
            std::to_string(ordinal) + ", " + (numbers.empty() ? "null" : "'{" + numbers + "}'") +
            ", " + (confirm ? "true" : "false") + ", 'test')"
        );
    }

    std::string state(std::int64_t serial)
    {
        return run("select state from gapless.number_report(1, " + std::to_string(serial) + ")");
    }

    std::string states()
    {
        return run("select free, held, plain, voided, waiting from gapless.series_report('s'), "
                   "gapless.counter");
    }
};

TEST_SUITE("numbers/hold_database")
{
    TEST_CASE_FIXTURE(fixture, "a hold keeps its numbers from everybody until it is settled")
    {
        CHECK(hold("a", 7) == "100+5 900+2");
        CHECK(hold("a", 7) == "100+5 900+2");
        CHECK(hold("a", 7, 60) == "refused: idempotency-key-reused");
        CHECK(issue_one() == "902");
        CHECK(state(100) == "held");
        CHECK(states() == "0|7|1|0|0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "confirming is for good, in parts and repeatedly")
    {
        hold("a", 4);
        CHECK(settle(true, 1, "[1,3)") == "2");
        CHECK(settle(true, 1, "[1,3)") == "0");
        CHECK(settle(true, 1) == "2");
        CHECK(settle(true, 1) == "0");
        CHECK(settle(false, 1) == "refused: state-conflict");
        CHECK(settle(false, 1, "[1,2)") == "refused: state-conflict");
        run("select gapless.note_event(1, 'voided', '{[1,5)}', 'me', 'wet', false)");
        CHECK(settle(false, 1) == "refused: state-conflict");  // it did not expire
        CHECK(states() == "0|0|0|4|0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        fixture, "released numbers go out first, lowest first, and never twice at a time"
    )
    {
        hold("a", 7);
        CHECK(settle(false, 1, "[4,7)") == "3");
        CHECK(settle(false, 1, "[4,7)") == "0");
        CHECK(settle(false, 1, "[2,3)") == "1");
        CHECK(states() == "4|3|0|0|4");
        CHECK(issue_one() == "101");
        CHECK(hold("b", 4) == "103+2 900+1 902+1");
        CHECK(state(103) == "held");
        CHECK(states() == "0|7|1|0|0");
        CHECK(verify() == "gapless");
        CHECK(settle(false, 4, "", 2) == "4");
        CHECK(settle(true, 1) == "3");
        CHECK(issue_one() == "103");
        CHECK(verify() == "gapless");
        CHECK(
            run("select string_agg(kind, ' ') from gapless.number_history(1, 4)") ==
            "held released held released issued"
        );
    }

    TEST_CASE_FIXTURE(fixture, "a session that could lose a confirmation cannot confirm")
    {
        hold("a", 2);
        for (std::string const unsafe : {"off", "local", "remote_write"})
        {
            CAPTURE(unsafe);
            CHECK(
                run("set local synchronous_commit = " + unsafe +
                    "; select gapless.hold_settle(1, 0, 1, null, true, 'me')") ==
                "refused: database-unavailable"
            );
        }
        CHECK(state(100) == "held");
    }

    TEST_CASE_FIXTURE(fixture, "how a hold was settled is told in runs, across blocks")
    {
        auto const parts = [&] {
            return run("select string_agg(fate || ' ' || serial || '+' || count, ', ') from "
                       "gapless.issuance_report(1, 0, 1)");
        };
        hold("a", 7, 1);
        CHECK(parts() == "held 100+5, held 900+2");
        settle(true, 1, "[1,3)");
        settle(false, 1, "[5,7)");
        CHECK(parts() == "confirmed 100+2, held 102+2, released 104+1, released 900+1, held 901+1");
        run("select pg_sleep(1.1)");
        CHECK(
            parts() ==
            "confirmed 100+2, expired 102+2, released 104+1, released 900+1, expired 901+1"
        );
        run("select gapless.sweep()");
        CHECK(
            parts() ==
            "confirmed 100+2, expired 102+2, released 104+1, released 900+1, expired 901+1"
        );
    }

    TEST_CASE_FIXTURE(fixture, "a repeated key tells how each of its numbers stands now")
    {
        hold("a", 4);
        CHECK(fates("a", 4) == "again untouched 100+4");
        settle(false, 1, "[2,3)");
        CHECK(fates("a", 4) == "again held 100+1 released 101+1 held 102+2");
        CHECK(hold("b", 1) == "101+1");
        CHECK(fates("b", 1) == "again untouched 101+1");
        settle(true, 1, "[1,2)");
        run("select gapless.note_event(1, 'voided', '{[1,2)}', 'test', 'torn', false)");
        CHECK(fates("a", 4) == "again voided 100+1 released 101+1 held 102+2");
        CHECK(settle(true, 1, "[1,2)") == "refused: state-conflict");
        CHECK(settle(true, 1) == "2");
        CHECK(settle(true, 1) == "0");
        CHECK(fates("a", 4) == "again voided 100+1 released 101+1 confirmed 102+2");
        CHECK(fates("b", 1) == "again untouched 101+1");
        run("select gapless.note_event(1, 'printed', '{[3,5)}', 'test', null, false)");
        CHECK(fates("a", 4) == "again voided 100+1 released 101+1 confirmed 102+2");
        run("select gapless.note_event(1, 'voided', '{[3,5)}', 'test', 'torn', false)");
        CHECK(settle(true, 1) == "refused: issuance-settled");
        CHECK(run("select count(*) from gapless.issue('s', 1, 'plain')") == "1");
        run("select gapless.note_event(1, 'voided', '{[5,6)}', 'test', 'torn', false)");
        CHECK(run("select * from gapless.issue('s', 1, 'plain')") == "refused: issuance-settled");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        fixture, "the ledger lists each time a number was issued, or the last one, page by page"
    )
    {
        auto const list = [&](std::string const& more = "") {
            return run(
                "select string_agg(serial || '+' || count || ' ' || reference || "
                "coalesce(' ' || fate, ''), ', ' order by place, ordinal, issued_at) from "
                "gapless.ledger_page(1, 0, 100, null, null, null" +
                more + ")"
            );
        };
        auto const issue_for = [&](std::string const& reference, int count) {
            run("select count(*) from gapless.issue_ranges('s', " + std::to_string(count) + ", '" +
                reference + "', '" + reference + "', 600)");
        };
        issue_for("a", 5);
        issue_for("b", 2);
        CHECK(list() == "100+5 a, 900+2 b");
        settle(false, 1, "[2,4)");
        CHECK(list() == "100+5 a, 900+2 b");
        issue_for("c", 1);
        settle(false, 2, "", 1);
        issue_for("d", 1);
        CHECK(list() == "100+1 a, 101+1 a released, 102+3 a, 101+1 c released, 101+1 d, 900+2 b");
        CHECK(list(", p_last => true") == "100+1 a, 102+3 a, 101+1 d, 900+2 b");
        CHECK(list(", p_part => 1, p_of => 2") == "100+1 a, 102+3 a, 900+2 b");
        std::string paged;
        for (std::string after = "0"; after != "null";)
        {
            auto const page =
                run("select string_agg(serial::text, ' ') || ',' || max(place) from "
                    "gapless.ledger_page(1, " +
                    after + ", 1, null, null, null)");
            auto const comma = page.find(',');
            after = comma == std::string::npos ? "null" : page.substr(comma + 1);
            paged += page.substr(0, comma) + "; ";
        }
        CHECK(paged == "100 101 102; 101 101; 900; null; ");
        CHECK(
            run("select string_agg(p.reference, ' ') from gapless.ledger l, lateral "
                "gapless.ledger_page(1, 0, 100, null, l.issued_at, l.issued_at) p "
                "where l.reference = 'c'") == "c"
        );
        CHECK(run("select count(*) from gapless.ledger_page(1, 0, 100, 'c', null, null)") == "1");
    }

    TEST_CASE_FIXTURE(
        fixture, "what a recall ended is voided, whenever its hold would have expired"
    )
    {
        hold("a", 3, 1);
        run("select gapless.block_recall(1, 'rejected', 'test')");
        CHECK(fates("a", 3, 1) == "again voided 100+3");
        run("select pg_sleep(1.01)");
        CHECK(fates("a", 3, 1) == "again voided 100+3");
        CHECK(settle(true, 1) == "refused: issuance-settled");
    }

    TEST_CASE_FIXTURE(fixture, "a series that voids released numbers never issues them again")
    {
        run("select gapless.series_change('s', '{\"on_release\":\"void\"}', null, 'test')");
        hold("a", 2);
        CHECK(settle(false, 1) == "2");
        CHECK(state(100) == "voided");
        CHECK(issue_one() == "102");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        fixture, "an expired hold cannot be confirmed, swept or not, and is swept once"
    )
    {
        hold("a", 3, 1);
        run("select pg_sleep(1.01)");
        CHECK(settle(true, 1) == "refused: issuance-settled");
        CHECK(settle(true, 1, "[1,2)") == "refused: state-conflict");
        CHECK(settle(false, 1) == "refused: hold-expired");
        CHECK(settle(false, 1, "[1,2)") == "refused: state-conflict");
        CHECK(fates("a", 3, 1) == "again expired 100+3");
        CHECK(state(100) == "held");
        CHECK(run("select * from gapless.sweep()") == "1|0");
        CHECK(run("select * from gapless.sweep()") == "0|0");
        CHECK(state(100) == "voided");
        CHECK(settle(true, 1) == "refused: issuance-settled");
        CHECK(fates("a", 3, 1) == "again expired 100+3");
        CHECK(issue_one() == "103");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        fixture, "a sweep ends so many holds in all, and one locked series stops no other's"
    )
    {
        create_series("t", {{5000, 5009}});
        for (auto const* key : {"a", "b", "c"})
            hold(key, 1, 1);
        run("select gapless.issue_ranges('t', 1, 'x', null, 2), gapless.issue_ranges('t', 1, 'y', "
            "null, 2), pg_sleep(2.01)");
        {
            pqxx::connection other{url()};
            pqxx::work holder{other};
            execute(holder, "select gapless.issue_ranges('s', 1, null, null)");
            CHECK(run("select * from gapless.sweep(1)") == "1|0");
            CHECK(
                run("select count(*) from gapless.hold where series_id = 2 and held <> '{}'") == "1"
            );
        }
        CHECK(run("select * from gapless.sweep(2)") == "2|0");
        CHECK(run("select * from gapless.sweep()") == "2|0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "a sweep waits for no series whose numbers somebody is noting")
    {
        create_series("closing", {{5000, 5009}});
        create_series("waiting", {{6000, 6000}});
        create_series("held", {{7000, 7009}});
        run("select gapless.issue_ranges('waiting', 1, 'w', null, 60)");
        run("select gapless.hold_settle(3, 0, 1, null, false, 'test')");  // the number is free
        run("select gapless.issue_ranges('held', 1, 'h', null, 1)");
        hold("a", 3, 1);
        run("set local session_replication_role = replica; update gapless.block set valid_until = "
            "now() - interval '1 day' where series_id in (2, 3); update gapless.counter set "
            "valid_until = now() - interval '1 day' where series_id in (2, 3)");
        run("select pg_sleep(1.01)");
        run("set lock_timeout = '100ms'");
        {
            test::open_transaction const noting{
                url(), "select from gapless.tally where series_id > 1 for update"};
            CHECK(run("select * from gapless.sweep()") == "1|0");
            CHECK(run("select waiting from gapless.counter where series_id = 3") == "1");
        }
        CHECK(run("select * from gapless.sweep()") == "1|1");
        CHECK(run("select waiting from gapless.counter where series_id = 3") == "0");
    }

    TEST_CASE_FIXTURE(fixture, "a hundred blocks that are used up keep no other from expiring")
    {
        for (std::int64_t n = 1; n <= 100; ++n)
        {
            auto const name = "u" + std::to_string(n);
            create_series(name, {{10'000 + n, 10'000 + n}});
            run("select gapless.issue_ranges('" + name + "', 1, null, null)");
        }
        create_series("z", {{20'000, 20'009}});
        run("set local session_replication_role = replica; update gapless.block set valid_until = "
            "now() - interval '1 day' where series_id > 1; update gapless.counter set valid_until "
            "= now() - interval '1 day' where series_id > 1 and block_id is not null");
        CHECK(run("select * from gapless.sweep()") == "0|1");
        CHECK(run("select * from gapless.sweep()") == "0|0");
    }

    TEST_CASE_FIXTURE(fixture, "expired numbers go out again where the series says so")
    {
        run("select gapless.series_change('s', '{\"on_expiry\":\"reissue\"}', null, 'test')");
        hold("a", 2, 1);
        run("select pg_sleep(1.01)");
        CHECK(run("select * from gapless.sweep()") == "1|0");
        CHECK(issue_one() == "100");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "what is no hold cannot be settled, nor numbers of another one")
    {
        CHECK(issue_one() == "100");
        hold("a", 2);
        hold("b", 1);
        CHECK(settle(true, 1) == "refused: state-conflict");
        CHECK(settle(true, 99) == "refused: unknown-issuance");
        CHECK(settle(true, 2, "[2,5)") == "refused: state-conflict");
        CHECK(states() == "0|3|1|0|0");
    }

    TEST_CASE_FIXTURE(fixture, "of what was issued without a hold and voided nothing is left")
    {
        run("select from gapless.issue_ranges('s', 2, null, null)");
        run("select gapless.note_event(1, 'voided', '{[1,2)}', 'me', 'wet', false)");
        CHECK(settle(true, 1) == "refused: state-conflict");
        run("select gapless.note_event(1, 'voided', '{[2,3)}', 'me', 'wet', false)");
        CHECK(settle(true, 1) == "refused: issuance-settled");
        CHECK(settle(true, 1, "[1,2)") == "refused: state-conflict");
        CHECK(settle(false, 1) == "refused: state-conflict");
    }

    TEST_CASE_FIXTURE(
        fixture, "numbers that came back do not go out again when their block is closed"
    )
    {
        hold("a", 3);
        settle(false, 1, "[1,2)");
        CHECK(run("select gapless.block_close(1, 'rejected', 'test')") == "2");
        CHECK(settle(false, 1) == "2");
        CHECK(state(100) == "voided");
        CHECK(state(101) == "voided");
        CHECK(state(104) == "voided");
        CHECK(issue_one() == "900");
        CHECK(verify() == "gapless");
    }
}

}  // namespace hold_test
