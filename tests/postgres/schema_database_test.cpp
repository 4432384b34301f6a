#include "harness/issuing.hpp"
#include "postgres/query.hpp"
#include "postgres/schema.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

using namespace gapless;
using test::issuing;

TEST_SUITE("postgres/schema_database")
{
    TEST_CASE_FIXTURE(issuing, "a migrated database is current, and migrating again does nothing")
    {
        CHECK(read_schema_state(connection()).current());
        CHECK(migrate(connection()).empty());
        CHECK(
            run("select migration, functions, in_recovery, epoch from gapless.health()") ==
            std::to_string(newest_migration()) + "|" + functions_checksum() + "|f|1"
        );
        CHECK(
            run("select interface from gapless.interface()") ==
            std::to_string(called_interfaces().newest)
        );
    }

    TEST_CASE_FIXTURE(issuing, "functions that differ are applied again, numbers stay")
    {
        create_series("s", {{100, 109}});
        issue("s", {"a", 3});
        run("update gapless.schema_functions set checksum = 'old'; drop function "
            "gapless.verify(text)");
        CHECK_FALSE(read_schema_state(connection()).current());

        CHECK(migrate(connection()) == std::vector<std::string>{"functions"});
        CHECK(read_schema_state(connection()).current());
        CHECK(issue("s", {"a", 3}) == "again 100-102");
        CHECK(issue("s", {"b"}) == "103-103");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        issuing, "functions are applied beside transactions that write to every table"
    )
    {
        create_series("s", {{100, 109}});
        pqxx::connection other{url()};
        pqxx::work open{other};
        execute(open, "select * from gapless.issue('s')");
        execute(
            open,
            "do $$ declare t regclass; begin for t in select c.oid from pg_class c where "
            "c.relnamespace = 'gapless'::regnamespace and c.relkind = 'r' loop execute "
            "'lock table ' || t || ' in row exclusive mode'; end loop; end $$"
        );
        run("update gapless.schema_functions set checksum = 'old'; drop function "
            "gapless.verify(text)");

        std::vector<std::string> waited_for;
        migrate(connection(), [&](auto const& who) { waited_for.push_back(who); });
        CHECK(waited_for.empty());
        CHECK(read_schema_state(connection()).current());
        open.commit();
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        issuing,
        "a trigger that differs is put back in a moment when nobody writes" *
            doctest::test_suite("night")
    )
    {
        create_series("s", {{100, 109}});
        create_series("t", {{200, 999'999}});
        run("select gapless.owner_id('role:' || session_user)");
        run("alter table gapless.ledger disable trigger ledger_is_append_only; "
            "create or replace trigger block_stays before delete on gapless.block for each "
            "statement execute function gapless.append_only(); "
            "update gapless.schema_functions set checksum = 'old'");
        pqxx::connection other{url()};
        auto open = std::make_unique<pqxx::work>(other);
        execute(*open, "select * from gapless.issue('s')");
        auto const pid = std::to_string(other.backendpid());

        std::atomic<bool> enough{};
        std::string trouble;
        std::jthread issuer{[&] {
            pqxx::connection own{url()};
            test::run(own, "set lock_timeout = '1s'");
            while (!enough && trouble.empty())
                if (auto const said = test::run(own, "select count(*) from gapless.issue('t')");
                    said != "1")
                    trouble = said;
        }};
        int tries = 0;
        migrate(connection(), [&](auto const& who) {
            CHECK(who.find("process " + pid + " ") != std::string::npos);
            if (++tries == 2)
                open->commit();
        });
        enough = true;
        issuer.join();
        CHECK(trouble == "");
        CHECK(tries >= 2);
        CHECK(read_schema_state(connection()).current());
        CHECK(run("delete from gapless.ledger").starts_with("42501"));
        CHECK(run("truncate gapless.block cascade").starts_with("42501"));
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a migrator that stops while others have the tables changes nothing")
    {
        create_series("s", {{100, 109}});
        run("drop trigger block_stays on gapless.block; "
            "update gapless.schema_functions set checksum = 'old'");
        pqxx::connection other{url()};
        pqxx::work open{other};
        execute(open, "lock table gapless.block in row exclusive mode");
        CHECK_THROWS_AS(
            migrate(connection(), [](auto const&) { throw std::runtime_error{"stopped"}; }),
            std::runtime_error
        );
        CHECK(run("select checksum from gapless.schema_functions") == "old");
        open.commit();
        CHECK(migrate(connection()) == std::vector<std::string>{"functions"});
        CHECK(read_schema_state(connection()).current());
    }

    TEST_CASE_FIXTURE(issuing, "what waits for others after the COMMIT is repeated alone, and told")
    {
        run("alter table gapless.webhook drop constraint credentials_are_a_field_value; "
            "update gapless.schema_functions set checksum = 'old'");
        pqxx::connection other{url()};
        auto open = std::make_unique<pqxx::work>(other);
        execute(*open, "select count(*) from gapless.webhook");
        pqxx::connection watching{url()};
        std::vector<std::string> told;
        auto const kept = [&] {
            told.push_back(test::run(watching, "select xmin from gapless.schema_functions"));
        };
        migrate(
            connection(),
            [&](auto const& waiting) {
                CHECK(waiting.starts_with("waiting until the tables are free: process "));
                told.push_back("waits");
                if (told.size() == 3)
                    open.reset();
            },
            kept
        );
        CHECK(told.size() == 3);
        kept();
        CHECK(told.front() == told.back());
        CHECK(read_schema_state(connection()).current());
    }

    TEST_CASE_FIXTURE(issuing, "a second migrator names whom it waits for, however long")
    {
        pqxx::connection other{url()};
        test::run(other, "select pg_advisory_lock(29099008545780595)");
        run("set lock_timeout = '50ms'");
        std::string told;
        migrate(connection(), [&](auto const& waiting) {
            told = waiting;
            test::run(other, "select pg_advisory_unlock(29099008545780595)");
        });
        auto const pid = std::to_string(other.backendpid());
        CHECK(told.starts_with("waiting for another migration: process " + pid + " (role "));
    }

    TEST_CASE_FIXTURE(issuing, "a schema of the same name that is not ours is left alone")
    {
        run("drop schema gapless cascade; create schema gapless; "
            "create table gapless.series (id integer)");
        CHECK_THROWS_WITH(
            migrate(connection()),
            "the database has a schema gapless that no gapless has made, with series; "
            "nothing was changed: rename or drop it, or use another database"
        );
        run("drop table gapless.series");
        CHECK_FALSE(migrate(connection()).empty());
    }

    TEST_CASE_FIXTURE(issuing, "a database of a newer program, or of another one, is left alone")
    {
        SUBCASE("newer")
        {
            run("insert into gapless.schema_migration (version, name, checksum) values (9999, 'x', "
                "'x')");
        }
        SUBCASE("another")
        {
            run("update gapless.schema_migration set checksum = 'x' where version = 1");
        }
        run("update gapless.schema_functions set checksum = 'old'");

        auto const state = read_schema_state(connection());
        CHECK_FALSE(state.current());
        CHECK_THROWS_AS(ensure_applicable(state), std::runtime_error);  // as 'migrate plan' asks
        CHECK_THROWS_AS(migrate(connection()), std::runtime_error);
        CHECK(run("select checksum from gapless.schema_functions") == "old");
    }

    TEST_CASE_FIXTURE(issuing, "a signature that nobody superseded stops the migration")
    {
        run("create function gapless.verify(series text, deep boolean default false) returns text "
            "language sql as 'select null'; "
            "update gapless.schema_functions set checksum = 'old'");
        CHECK_THROWS_WITH(
            migrate(connection()),
            "gapless.verify would exist more than once, nothing was changed: verify(p_series "
            "text) and verify(series text, deep boolean); drop the one that is not gapless' own"
        );
        CHECK(run("select checksum from gapless.schema_functions") == "old");
    }

    TEST_CASE_FIXTURE(issuing, "what others added to the tables may go again after a migration")
    {
        run("create unique index theirs on gapless.notice (place); "
            "alter table gapless.series add constraint theirs check (name <> ''); "
            "update gapless.schema_functions set checksum = 'old'");
        CHECK(migrate(connection()) == std::vector<std::string>{"functions"});
        create_series("s", {{100, 109}});
        run("drop index gapless.theirs; alter table gapless.series drop constraint theirs");
        CHECK(verify() == "gapless");
        CHECK(read_schema_state(connection()).current());
    }

    TEST_CASE_FIXTURE(issuing, "two migrators of an empty database do not get in each other's way")
    {
        run("drop schema gapless cascade");
        std::atomic<int> applied{};
        {
            std::vector<std::jthread> migrating;
            for (int n = 0; n < 2; ++n)
                migrating.emplace_back([&] {
                    pqxx::connection own{url()};
                    applied += migrate(own).empty() ? 0 : 1;
                });
        }
        CHECK(applied == 1);
        CHECK(read_schema_state(connection()).current());
        create_series("s", {{100, 109}});
        CHECK(issue("s", {"a", 3}) == "100-102");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "the database knows which cluster its epoch began on")
    {
        CHECK(
            run("select e.epoch, e.system_identifier = c.system_identifier, e.timeline = "
                "left(pg_walfile_name(pg_current_wal_lsn()), 8) "
                "from gapless.epoch e, pg_control_system() c") == "1|t|t"
        );
    }
}
