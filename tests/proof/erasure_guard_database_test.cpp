#include "harness/erasing.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::erasing;

TEST_SUITE("proof/erasure_guard_database")
{
    TEST_CASE_FIXTURE(erasing, "nothing is erased that is not on record")
    {
        auto const refused = [&](std::string const& call) {
            return run("select gapless.erase_references(" + call + ")") == "refused: not-found";
        };
        CHECK(refused("1, 'Meier', 0, 0, 10"));  // somebody's series.create
        CHECK(refused("99, 'Meier', 0, 0, 10"));
        auto const act = run("select gapless.erasure_begin('s', null, 'Meier', 'r', 'me')");
        CHECK(refused(act + ", null, 0, 0, 10"));  // was not about a moment
        auto const insert = [&](std::string const& series, std::string const& audit_id) {
            return run(
                "insert into gapless.erasing (series_id, audit_id, places) select " + series +
                ", " + audit_id +
                ", array_agg(ctid) from gapless.ledger where series_id = 1 and ordinal = 1"
            );
        };
        CHECK(insert("1", "1") == "refused: not-found");
        CHECK(insert("2", act) == "refused: not-found");
        CHECK(references() == "Meier Huber - Meier Meier");
        // Whoever puts it in by hand has done an erasure, and has done no more.
        CHECK(insert("1", act).empty());
        CHECK(references() == "# Huber - Meier Meier");
        CHECK(run("select count(*) from gapless.erasing") == "0");
        CHECK(insert("1", act).starts_with("42501"));  // there is nothing to erase
    }

    TEST_CASE_FIXTURE(erasing, "nobody changes a ledger row by hand, however it is called")
    {
        auto const act = run("select gapless.erasure_begin('s', null, 'Meier', 'r', 'me')");
        std::string const exact =
            "update gapless.ledger set reference = null, reference_salt = null, reference_digest = "
            "gapless.reference_digest(reference_salt, reference) where series_id = 1 and ordinal = "
            "1";
        std::string const refused = "42501 gapless.ledger is append-only: update is refused";
        CHECK(run(exact) == refused);
        CHECK(run("update gapless.ledger set reference = null where false") == refused);
        CHECK(run("do $x$ begin " + exact + "; end $x$") == refused);
        CHECK(run("set local gapless.erasing = 'on'; " + exact) == refused);
        // Also after an erasure in the same transaction, and with a row left by a trick.
        CHECK(
            run("select gapless.erase_references(" + act + ", 'Meier', 0, 0, 1); " + exact) ==
            refused
        );
        run("alter table gapless.erasing disable trigger all; insert into gapless.erasing values "
            "(1, " +
            act + ", '{}'); alter table gapless.erasing enable trigger all");
        for (std::string const change :
             {"reference = null",
              "reference = 'Huber'",
              "count = 2",
              "reference_digest = sha256('x')",
              "reference = null, reference_salt = null",
              "reference = null, reference_salt = null, reference_digest = sha256('x')",
              "reference = null, reference_salt = null, key = gen_random_uuid(), reference_digest "
              "= "
              "gapless.reference_digest(reference_salt, reference)"})
        {
            CAPTURE(change);
            CHECK(
                run("update gapless.ledger set " + change + " where series_id = 1 and ordinal = 1"
                ) == refused
            );
        }
        CHECK(run("delete from gapless.ledger").starts_with("42501"));
    }

    TEST_CASE_FIXTURE(erasing, "a row with half a reference is refused")
    {
        auto const insert = [&](std::string const& reference,
                                std::string const& salt,
                                std::string const& digest) {
            return run(
                "insert into gapless.ledger (series_id, count, ordinal, serial, key, issued_at, "
                "block_id, owner_id, epoch, reference, reference_salt, reference_digest) select "
                "series_id, 1, next_ordinal, next_serial, gen_random_uuid(), now(), block_id, 1, "
                "epoch, " +
                reference + ", " + salt + ", " + digest +
                " from gapless.counter where series_id = 1"
            );
        };
        run("select gapless.find_counter(1)");
        CHECK(insert("'x'", "null", "null").starts_with("23514"));
        CHECK(insert("null", "gen_random_uuid()", "null").starts_with("23514"));
        CHECK(insert("null", "null", "sha256('x')").starts_with("23514"));
        CHECK(insert("'x'", "gen_random_uuid()", "null").empty());
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(erasing, "only administrators erase references")
    {
        for (std::string const role : {"gapless_service", "gapless_app", "gapless_audit"})
            CHECK(run("set local role " + role +
                      "; select gapless.erasure_begin('s', null, 'Meier', 'r', 'me')")
                      .starts_with("42501"));
        CHECK(
            run("set local role gapless_admin; select gapless.erasable_references('s', null, "
                "'Meier')") == "3"
        );
    }

    TEST_CASE_FIXTURE(erasing, "the planner keeps no samples of references")
    {
        run("analyze gapless.ledger");
        CHECK(
            run("select count(*) from pg_stats where tablename = 'ledger' and attname = "
                "'reference'") == "0"
        );
        CHECK(run("select count(*) > 0 from pg_stats where tablename = 'ledger'") == "t");
    }
}
