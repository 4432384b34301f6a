#include "harness/issuing.hpp"
#include "harness/text.hpp"
#include "numbers/issuance_store.hpp"
#include "postgres/connection.hpp"
#include "postgres/outcome.hpp"
#include "postgres/query.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

namespace transaction_test {

using namespace gapless;
using test::issuing;

struct transactions : issuing
{
    std::unique_ptr<pqxx::connection> own{open_connection(url(), connection_purpose::service)};

    /// What run_serializable makes of one statement: "done", or "refused: …".
    std::string serializable(std::string const& sql, retry_policy const& retry = {})
    {
        auto const outcome =
            run_serializable(*own, retry, [&](pqxx::transaction_base& transaction) {
                execute(transaction, sql);
                return 0;
            });
        return outcome.has_value() ? "done"
                                   : "refused: " + std::string{name_of(outcome.error().kind)};
    }
};

std::string raising(std::string const& state)
{
    return "do $$ begin raise exception 'made up' using errcode = '" + state + "'; end $$";
}

std::string const raise_conflict = raising("40001");

TEST_SUITE("postgres/transaction_database")
{
    TEST_CASE("of a connection that fails nobody is told where it leads, and as whom")
    {
        struct row
        {
            char const* libpq;
            char const* told;
        };
        for (auto const& each : {
                 row{"connection to server at \"db\" (10.0.0.1), port 5432 failed: Connection "
                     "refused\n\tIs the server running?",
                     ": Connection refused"},
                 row{"connection to server on socket \"/run/x\" failed: No such file or directory",
                     ": No such file or directory"},
                 row{"connection to server at \"db\", port 5 failed: timeout expired",
                     ": timeout expired"},
                 row{"connection to server at \"db\", port 5 failed: FATAL:  role x is not there",
                     ""},
                 row{"connection to server at \"db\", port 5 failed: server certificate for \"x\" "
                     "does not match host name \"db\"",
                     ""},
                 row{"could not translate host name \"db\" to address: Name not known", ""},
                 row{"Verbindung zum Server auf »db«, Port 5 fehlgeschlagen", ""},
                 row{"", ""},
             })
            CHECK(
                to_told_text(each.libpq) == "the database cannot be connected to" +
                                                std::string{each.told} +
                                                "; the log of gaplessd says more"
            );
    }

    TEST_CASE("connections that leave this machine are to be encrypted, to the server that is meant"
    )
    {
        struct row
        {
            char const* url;
            char const* weak;
        };
        for (auto const& each : {
                 row{"postgresql:///gapless", ""},
                 row{"postgresql://u@localhost/gapless", ""},
                 row{"postgresql://u@127.0.0.2/gapless", ""},
                 row{"postgresql://u@[::1]/gapless?sslmode=disable", ""},
                 row{"host=/run/postgresql user=u", ""},
                 row{"postgresql://u@db.example/gapless", "prefer"},
                 row{"postgresql://u@db.example/gapless?sslmode=require", "require"},
                 row{"postgresql://u@db.example/gapless?sslmode=verify-ca", "verify-ca"},
                 row{"postgresql://u@db.example/gapless?sslmode=verify-full", ""},
                 row{"postgresql://u@localhost,db.example/gapless?sslmode=disable", "disable"},
                 row{"postgresql://u@localhost.example/gapless", "prefer"},
                 row{"postgresql://u@128.0.0.1/gapless", "prefer"},
                 row{"host=db.example hostaddr=127.0.0.1", ""},
                 row{"host=localhost hostaddr=192.0.2.1", "prefer"},
             })
        {
            CAPTURE(each.url);
            CHECK(weak_sslmode(each.url) == each.weak);
        }
    }

    TEST_CASE_FIXTURE(transactions, "runs serializable, waits for the disk and scans nothing")
    {
        auto const outcome = run_serializable(*own, {}, [](pqxx::transaction_base& transaction) {
            return test::text(query_rows(
                transaction,
                "select current_setting('transaction_isolation'), "
                "current_setting('synchronous_commit'), "
                "current_setting('enable_seqscan')"
            ));
        });
        CHECK(*outcome == "serializable|on|off");
    }

    TEST_CASE_FIXTURE(transactions, "limits that the role or the database has end nothing of ours")
    {
        run("do $$ declare v_limit text; begin "
            "foreach v_limit in array array['statement_timeout', 'idle_session_timeout', "
            "'idle_in_transaction_session_timeout'] loop "
            "execute format('alter database %I set %I = %L', current_database(), v_limit, '1h'); "
            "end loop; end $$");
        for (auto const& [purpose, idle] :
             {std::pair{connection_purpose::service, "5s"},
              std::pair{connection_purpose::operation, "0"}})
        {
            auto const opened = open_connection(url(), purpose);
            CHECK(
                test::run(
                    *opened,
                    "select current_setting('statement_timeout'), "
                    "current_setting('idle_session_timeout'), "
                    "current_setting('idle_in_transaction_session_timeout')"
                ) == "0|0|" + std::string{idle}
            );
        }
    }

    TEST_CASE_FIXTURE(transactions, "every SQLSTATE of ours becomes its refusal")
    {
        pqxx::work all{connection()};
        for (auto const& row :
             query_rows(all, "select sqlstate, problem from gapless.sql_states()"))
        {
            auto const state = row[0].as<std::string>();
            CAPTURE(state);
            CHECK(
                serializable(
                    "do $$ begin raise exception 'no' using errcode = '" + state + "'; end $$"
                ) == "refused: " + row[1].as<std::string>()
            );
        }
    }

    TEST_CASE_FIXTURE(transactions, "SQL names every SQLSTATE of ours, and no other")
    {
        std::string ours;
        for (auto const& row : outcome_table())
            if (row.state.starts_with("GL"))
                ours += (ours.empty() ? "" : " ") + std::string{row.state} + '|' +
                        std::string{name_of(row.refuses)};
        CHECK(run("select sqlstate, problem from gapless.sql_states() order by sqlstate") == ours);
    }

    TEST_CASE_FIXTURE(transactions, "a conflict is tried again until it succeeds")
    {
        int attempts = 0;
        auto const outcome =
            run_serializable(*own, {.attempts_max = 5}, [&](pqxx::transaction_base& transaction) {
                if (++attempts < 4)
                    execute(transaction, raise_conflict);
                return attempts;
            });
        CHECK(*outcome == 4);
    }

    TEST_CASE_FIXTURE(transactions, "a deadlock is tried again like a conflict")
    {
        int attempts = 0;
        auto const outcome =
            run_serializable(*own, {.attempts_max = 5}, [&](pqxx::transaction_base& transaction) {
                if (++attempts < 4)
                    execute(transaction, raising("40P01"));
                return attempts;
            });
        CHECK(*outcome == 4);
    }

    TEST_CASE_FIXTURE(
        transactions, "a conflict is tried so often and so long, then the database is unavailable"
    )
    {
        CHECK(serializable(raise_conflict, {.attempts_max = 3}) == "refused: database-unavailable");
        CHECK(
            serializable(
                raise_conflict,
                {.attempts_max = 1'000'000, .deadline = std::chrono::steady_clock::now()}
            ) == "refused: database-unavailable"
        );
    }

    TEST_CASE_FIXTURE(transactions, "a refusal that is returned changes nothing")
    {
        create_series("s", {{100, 109}});
        auto const outcome =
            run_serializable(*own, {}, [](pqxx::transaction_base& transaction) -> result<issuance> {
                auto issued = issue_numbers(transaction, "s", 3, "a", std::nullopt);
                return refusal{refusal_kind::forbidden, "changed my mind"};
            });
        CHECK(test::text(outcome) == "refused: forbidden");
        CHECK(run("select count(*) from gapless.ledger") == "0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(transactions, "trouble with the environment is no bug of ours")
    {
        run("create table public.held (x integer)");
        pqxx::work holding{connection()};
        execute(holding, "lock table public.held");
        run_serializable(*own, {}, [](pqxx::transaction_base& transaction) {
            execute(transaction, "set lock_timeout = '50ms'");
            return 0;
        });

        CHECK(serializable("select * from public.held") == "refused: database-unavailable");
        CHECK(
            serializable("select * from gapless.of_another_version") ==
            "refused: database-unavailable"
        );
        CHECK(
            serializable("set transaction read only; create table x ()") ==
            "refused: database-unavailable"
        );
        CHECK(serializable("select 1") == "done");
    }

    TEST_CASE_FIXTURE(transactions, "a bug of ours is not hidden behind a refusal")
    {
        CHECK_THROWS_AS(serializable("select 1 / 0"), pqxx::sql_error);
        CHECK_THROWS_AS(serializable("selec"), pqxx::sql_error);
        CHECK(serializable("select 1") == "done");
    }

    TEST_CASE_FIXTURE(
        transactions,
        "a connection lost before COMMIT changed nothing, and does not come back by itself"
    )
    {
        create_series("s", {{100, 109}});
        auto const outcome = run_serializable(*own, {}, [&](pqxx::transaction_base& transaction) {
            auto issued = issue_numbers(transaction, "s", 3, "a", std::nullopt);
            auto const pid = query_value<std::string>(transaction, "select pg_backend_pid()");
            run("select pg_terminate_backend(" + pid + ", 5000)");
            execute(transaction, "select 1");
            return 0;
        });
        CHECK(outcome.error().kind == refusal_kind::database_unavailable);
        CHECK(run("select count(*) from gapless.ledger") == "0");
        CHECK(serializable("select 1") == "refused: database-unavailable");
    }

    TEST_CASE_FIXTURE(transactions, "a read sees one snapshot and writes nothing")
    {
        create_series("s", {{100, 109}});
        auto const outcome = run_read(*own, [&](pqxx::transaction_base& transaction) {
            auto const before =
                test::text(query_rows(transaction, "select next from gapless.series_report('s')"));
            issue("s", {"a", 3});
            return before + " " +
                   test::text(query_rows(transaction, "select next from gapless.series_report('s')")
                   );
        });
        CHECK(*outcome == "100 100");

        auto const written = run_read(*own, [](pqxx::transaction_base& transaction) {
            return issue_numbers(transaction, "s", 1, "b", std::nullopt);
        });
        CHECK(test::text(written) == "refused: database-unavailable");
    }
}

}  // namespace transaction_test
