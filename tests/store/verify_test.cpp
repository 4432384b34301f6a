#include "life.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::has;
using test::life;

TEST_SUITE("store/verify")
{
    TEST_CASE_FIXTURE(life, "a life without tampering is gapless, and what was checked is counted")
    {
        CHECK(verify() == "gapless");
        CHECK(findings_after("select 1") == "gapless");
        CHECK(
            run("select rows, numbers, blocks, findings from gapless.verify_series(1)") ==
            "10|17|6|[]"
        );
        CHECK(run("select count(*) from gapless.verify('no such series')") == "0");
    }

    TEST_CASE_FIXTURE(life, "a guard that is gone or switched off is found")
    {
        CHECK(run("alter table gapless.ledger drop constraint key_is_spent_once; "
                  "alter table gapless.ledger disable trigger all; "
                  "update gapless.ledger l set key = o.key from gapless.ledger o where l.ordinal = "
                  "17 and o.ordinal = 15; "
                  "alter table gapless.ledger enable trigger all")
                  .empty());
        CHECK(
            verify() ==
            "s guards: the constraint key_is_spent_once of gapless.ledger is gone or switched off"
        );

        CHECK(run("alter table gapless.counter disable trigger counter_follows_the_ledger; "
                  "drop trigger ledger_is_append_only on gapless.ledger; "
                  "alter table gapless.block drop constraint blocks_of_a_space_do_not_overlap")
                  .empty());
        auto const found = verify();
        CHECK(has(found, "the trigger counter_follows_the_ledger of gapless.counter is gone"));
        CHECK(has(found, "the trigger ledger_is_append_only of gapless.ledger is gone"));
        CHECK(has(found, "the constraint blocks_of_a_space_do_not_overlap of gapless.block is gone")
        );
    }

    TEST_CASE_FIXTURE(
        life, "two open transactions, one verifying and one issuing, do not wait for each other"
    )
    {
        pqxx::connection issuer{url()};
        pqxx::connection verifier{url()};
        test::run(verifier, "set lock_timeout = '2s'");
        test::run(issuer, "set lock_timeout = '2s'");

        pqxx::work issue_work{issuer};
        CHECK(test::text(issue_work.exec("select number from gapless.issue('s', 2)")) == "406 407");
        {
            pqxx::transaction<pqxx::repeatable_read, pqxx::read_only> verifying{verifier};
            CHECK(
                test::text(verifying.exec("select rows, findings from gapless.verify_series(1)")) ==
                "10|[]"
            );
            CHECK(test::text(issue_work.exec("select number from gapless.issue('s', 95)"))
                      .starts_with("408 409"));
            issue_work.commit();
            CHECK(
                test::text(verifying.exec("select rows, findings from gapless.verify_series(1)")) ==
                "10|[]"
            );
        }
        CHECK(run("select rows, findings from gapless.verify_series(1)") == "13|[]");
    }

    TEST_CASE_FIXTURE(life, "other series are not blamed")
    {
        create_series("t", {{5000, 5099}});
        issue("t", {"t", 3});
        run("alter table gapless.ledger disable trigger all; delete from gapless.ledger where "
            "series_id = 2; "
            "alter table gapless.ledger enable trigger all");

        CHECK(run("select count(*) from gapless.verify('s')") == "0");
        CHECK(run("select count(*) > 0 from gapless.verify('t')") == "t");
    }
}
