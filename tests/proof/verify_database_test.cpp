#include "harness/life.hpp"
#include "postgres/connection.hpp"
#include "postgres/query.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::has;
using test::life;

TEST_SUITE("proof/verify_database")
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
        CHECK(
            test::text(query_rows(issue_work, "select number from gapless.issue('s', 2)")) ==
            "406 407"
        );
        {
            snapshot_transaction verifying{verifier};
            CHECK(
                test::text(
                    query_rows(verifying, "select rows, findings from gapless.verify_series(1)")
                ) == "10|[]"
            );
            CHECK(test::text(query_rows(issue_work, "select number from gapless.issue('s', 95)"))
                      .starts_with("408 409"));
            issue_work.commit();
            CHECK(
                test::text(
                    query_rows(verifying, "select rows, findings from gapless.verify_series(1)")
                ) == "10|[]"
            );
        }
        CHECK(run("select rows, findings from gapless.verify_series(1)") == "13|[]");
    }

    TEST_CASE_FIXTURE(life, "a large ledger is read by parallel workers, also in our own sessions")
    {
        create_series("t", {{100000, 199999}});
        issue("t", {"t"});
        run("insert into gapless.ledger (series_id, block_id, ordinal, serial, count, key, "
            "issued_at, owner_id, epoch) "
            "select 2, 7, n, 99999 + n, 1, gen_random_uuid(), now(), 1, 1 "
            "from generate_series(2, 20000) n");
        run("analyze gapless.ledger");
        auto const ours = open_connection(url(), connection_purpose::operation);
        test::run(
            *ours,
            "load 'auto_explain'; set auto_explain.log_min_duration = 0; "
            "set auto_explain.log_nested_statements = on; set client_min_messages = log; "
            "set min_parallel_table_scan_size = 0; set parallel_setup_cost = 0"
        );
        for (auto const* verifying :
             {"gapless.verify_series(2)", "gapless.verify_all() where series = 't'"})
        {
            std::string heard;
            notice_listener const listening{
                *ours, [&](std::string_view notice) { heard += notice; }};
            auto const seen = run_read(*ours, [&](pqxx::transaction_base& transaction) {
                return test::text(
                    query_rows(transaction, "select rows, findings from " + std::string{verifying})
                );
            });
            CHECK(seen.value() == "20000|[]");
            CHECK_MESSAGE(has(heard, "Parallel Seq Scan on ledger"), heard);
        }
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

    TEST_CASE_FIXTURE(test::issuing, "a guard that is off is told before there is a series, too")
    {
        CHECK(run("select count(*) from gapless.verify()") == "0");
        run("alter table gapless.ledger disable trigger range_continues_the_ledger");
        CHECK(
            run("select series, what from gapless.verify()") ==
            "*|the trigger range_continues_the_ledger of gapless.ledger is gone or switched off"
        );
    }

    TEST_CASE_FIXTURE(test::issuing, "the blocks of other series make no links in this one's chain")
    {
        run("alter table gapless.block alter column block_id restart with 90000");
        create_series("s", {{100, 199}, {200, 299}, {300, 399}});
        CHECK(run("select gapless.seal(1, 2)") == "t");
        CHECK(run("select gapless.seal(1, 2)") == "f");
        CHECK(
            run("select string_agg(concat_ws('|', kind, first, last, rows), ' ' order by link) "
                "from gapless.seal where series_id = 1") == "block|1|90001|2 block|90002|90002|1"
        );
    }

    TEST_CASE_FIXTURE(
        test::issuing, "what is read of blocks and acts does not grow with those of others"
    )
    {
        create_series("s", {{0, 9}});
        run("select count(gapless.block_load('s', n * 10, n * 10 + 9, null, null, null, 'me')) "
            "from generate_series(1, 300) n; "
            "insert into gapless.audit_log (actor, action, subject) select 'me', 'number.print', "
            "'t' from generate_series(1, 300); analyze gapless.block");
        auto const rows_read = [&](std::string const& check, std::string const& table) {
            return work_of(
                "set local enable_seqscan = off; select gapless." + check + "(1);",
                table,
                "seq_tup_read + idx_tup_fetch"
            );
        };
        CHECK(rows_read("verify_blocks", "block") < 10'000);  // not the square of 300
        for (auto const* check : {"verify_proposals", "verify_manifests", "verify_chain"})
            CHECK(rows_read(check, "audit_log") == 0);
    }
}
