#include "harness/issuing.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

namespace day_test {

using namespace gapless;

struct printed : test::issuing
{
    printed()
    {
        create_series("s", {{100, 199}});
        issue("s", {"a", 5});
        note("printed", "[1,5)");
    }

    std::string note(std::string const& kind, std::string const& ordinals)
    {
        return run(
            "select gapless.note_event(1, '" + kind + "', '{" + ordinals + "}', 'me', 'wet', false)"
        );
    }
};

TEST_SUITE("postgres/day_database")
{
    TEST_CASE_FIXTURE(printed, "a day is one of the database's time zone, not of the session's")
    {
        run("set local session_replication_role = replica; update gapless.number_event set at = "
            "'2026-01-02 05:00:00+00'");
        auto const close = [&](std::string const& zone, std::string const& day) {
            return run(
                "set local timezone = '" + zone + "'; select gapless.manifest_close('s', '" + day +
                "', 'me')"
            );
        };
        CHECK(close("Etc/GMT+12", "2026-01-01") == "0");
        CHECK(close("Etc/GMT-14", "2026-01-02") == "4");
    }

    TEST_CASE_FIXTURE(printed, "a manifest takes the days of the time zone that was set")
    {
        run("set local session_replication_role = replica; update gapless.number_event set at = "
            "'2026-01-02 05:00:00+00'");
        run("select gapless.time_zone_set('Etc/GMT+4', 'me')");
        CHECK(run("select gapless.manifest_close('s', '2026-01-01', 'me')") == "0");
        run("select gapless.time_zone_set('Etc/GMT+6', 'me')");
        CHECK(run("select gapless.manifest_close('s', '2025-12-31', 'me')") == "0");
        CHECK(run("select gapless.manifest_close('s', '2026-01-02', 'me')") == "4");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(printed, "an hour before midnight there belongs to the day that ends")
    {
        run("set local session_replication_role = replica; update gapless.number_event set at = "
            "'2026-01-02 05:00:00+00'");
        run("select gapless.time_zone_set('Etc/GMT+6', 'me')");
        CHECK(run("select gapless.manifest_close('s', '2026-01-01', 'me')") == "4");
    }

    TEST_CASE_FIXTURE(printed, "what was printed by a clock that was ahead is on today's manifest")
    {
        run("set local session_replication_role = replica; update gapless.number_event set at = "
            "now() + interval '1 year'");
        auto const close = [&](std::string const& day) {
            return run(
                "select gapless.manifest_close('s', gapless.day_of(now()) " + day + ", 'me')"
            );
        };
        CHECK(close("- 1") == "0");
        CHECK(close("") == "4");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        printed, "closing a day asks once when it ends, and reads no more than it must"
    )
    {
        issue("s", {"b", 20});
        for (int n = 6; n <= 25; ++n)
            note("printed", fmt::format("[{},{})", n, n + 1));
        CHECK(
            run("set local track_functions = 'all'; "
                "select gapless.manifest_numbers(1, '2020-01-01'); "
                "select calls from pg_stat_xact_user_functions where funcname = 'day_begins'"
            ) == "2"
        );
        auto const events_read = [this](std::string const& day) {
            return work_of(
                "select gapless.manifest_numbers(1, '" + day + "');",
                "number_event",
                "seq_tup_read + idx_tup_fetch"
            );
        };
        CHECK(events_read("2020-01-01") == 21);
        CHECK(events_read("2099-01-01") == 0);  // it is not over
        run("select gapless.manifest_close('s', '2099-01-01', 'me')");
        CHECK(events_read("2020-01-01") == 0);  // all are reported
    }

    TEST_CASE_FIXTURE(printed, "what was voided is on no manifest")
    {
        CHECK(note("voided", "[2,3)") == "1");
        CHECK(run("select gapless.manifest_close('s', '2099-01-01', 'me')") == "3");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(printed, "a number on the manifests of two days is found")
    {
        run("select gapless.manifest_close('s', '2099-01-01', 'me')");
        CHECK(verify() == "gapless");
        run("set local session_replication_role = replica; insert into gapless.manifest select "
            "series_id, day - 1, count, created_at, created_by from gapless.manifest; insert into "
            "gapless.manifest_part select series_id, day - 1, chunk, numbers from "
            "gapless.manifest_part");
        CHECK(verify().find("a number near there is on two manifests") != std::string::npos);
    }

    TEST_CASE_FIXTURE(printed, "what came back from the carrier is not printed once more")
    {
        CHECK(note("returned", "[1,2)") == "1");
        CHECK(note("reprinted", "[1,2)") == "refused: state-conflict");
        CHECK(note("reprinted", "[2,3)") == "1");
    }

    TEST_CASE_FIXTURE(printed, "a page up to a moment has what left at this moment")
    {
        CHECK(
            run("select count(*) from gapless.ledger l, gapless.ledger_page(1, 0, 10, null, null, "
                "l.issued_at)") == "1"
        );
        CHECK(
            run("select count(*) from gapless.ledger l, gapless.ledger_page(1, 0, 10, null, null, "
                "l.issued_at - interval '1 microsecond')") == "0"
        );
    }
}

}  // namespace day_test
