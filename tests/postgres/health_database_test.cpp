#include "harness/database.hpp"
#include "harness/private_cluster.hpp"
#include "harness/process.hpp"
#include "postgres/health_store.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

namespace health_test {

using namespace gapless;

/// A query for "ok", or "<severity> <value>", as the function says with these arguments.
std::string asking(std::string const& name, std::string const& arguments = "null")
{
    return "select case when fine then 'ok' else severity || ' ' || value end from "
           "gapless.health_checks(" +
           arguments + ") where name = '" + name + "'";
}

struct checked_server : test::database
{
    std::string check(std::string const& name, std::string const& arguments = "null")
    {
        return run(asking(name, arguments));
    }

    /// The check of transaction ids, were that the oldest one of this database. Nothing stays.
    std::string check_age(std::string const& column, std::string const& oldest)
    {
        pqxx::work transaction{connection()};
        execute(
            transaction,
            "update pg_database set " + column + " = (((" + oldest +
                ")::bigint + 4294967296) % 4294967296)::text::xid where datname = "
                "current_database()"
        );
        return test::text(query_rows(transaction, asking("transaction_age")));
    }
};

/// A server of its own, whose settings may be changed.
struct own_server
{
    test::private_cluster cluster{{"max_prepared_transactions=2"}};

    own_server() { cluster.create_database("gapless"); }

    /// In a session of its own, so with the settings of this moment.
    std::string run(std::string const& sql) const
    {
        pqxx::connection session{cluster.url("gapless")};
        pqxx::nontransaction plain{session};
        return test::text(query_rows(plain, sql));
    }

    std::string check(std::string const& name, std::string const& arguments = "null") const
    {
        return run(asking(name, arguments));
    }

    /// alter system, and until new sessions have it
    void set(std::string const& name, std::string const& value) const
    {
        run("alter system set " + name + " = " + value);
        run("select pg_reload_conf()");
        auto const is_set = "select quote_literal(setting) = $$" + value +
                            "$$ from pg_settings where name = '" + name + "'";
        auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds{20};
        while (run(is_set) != "t")
        {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            std::this_thread::sleep_for(std::chrono::milliseconds{20});  // between two looks
        }
    }
};

TEST_SUITE("postgres/health_database")
{
    TEST_CASE_FIXTURE(checked_server, "a version gapless is made for is fine, any other is not")
    {
        auto const fits = [&](std::string const& number) {
            return run("select gapless.server_version_fits(" + number + ")") == "t";
        };
        for (std::string const least : {"150020", "160016", "170012", "180007"})
        {
            CAPTURE(least);
            CHECK(fits(least));
            CHECK(fits(least + " + 1"));
            CHECK_FALSE(fits(least + " - 1"));
            CHECK_FALSE(fits(least.substr(0, 2) + "0000"));
            CHECK(fits(least.substr(0, 2) + "9999"));
        }
        CHECK_FALSE(fits("140025"));
        CHECK_FALSE(fits("190025"));
    }

    TEST_CASE_FIXTURE(checked_server, "a version that the rule refuses is warned of, and shown")
    {
        auto const rule = [&](std::string const& answer) {
            run("create or replace function gapless.server_version_fits(p_number integer) returns "
                "boolean language sql as $$ select p_number = "
                "current_setting('server_version_num')::integer and " +
                answer + " $$");
            return check("server_version");
        };
        CHECK(rule("true") == "ok");
        CHECK(rule("false") == "warning " + run("select current_setting('server_version')"));
    }

    TEST_CASE_FIXTURE(checked_server, "every check says what to set")
    {
        pqxx::connection connection{url()};
        pqxx::work transaction{connection};
        auto const checks = read_health_checks(transaction, 10);
        CHECK(checks.size() == 21);
        for (auto const& one : checks)
            CHECK_MESSAGE(one.advice.size() > 20, one.name);
    }

    TEST_CASE_FIXTURE(checked_server, "an old snapshot is found, however it is held")
    {
        auto const found = [&](std::string const& age) {
            return check("old_snapshots", "null, '" + age + "'").starts_with("warning ");
        };
        pqxx::connection holder{url()};
        {
            pqxx::transaction<pqxx::repeatable_read> abandoned{holder};
            execute(abandoned, "select 1");
            CHECK(found("0 s"));
            CHECK_FALSE(found("1 day"));
        }
        pqxx::work writing{holder};
        execute(writing, "select pg_current_xact_id()");
        CHECK(found("0 s"));
    }

    TEST_CASE_FIXTURE(checked_server, "a snapshot is old after five minutes unless said otherwise")
    {
        CHECK(
            run("select pg_get_function_arg_default('gapless.health_checks(integer, interval)'::"
                "regprocedure, 2)") == "'00:05:00'::interval"
        );
    }

    TEST_CASE_FIXTURE(checked_server, "transaction ids that run out are warned of early enough")
    {
        auto const next = std::string{"pg_snapshot_xmax(pg_current_snapshot())::text::bigint"};
        CHECK(check_age("datfrozenxid", next + " - 199000000") == "ok");
        CHECK(check_age("datfrozenxid", next + " - 201000000").starts_with("warning 201"));
        auto const next_multi = std::string{"(select next_multixact_id::text::bigint from "
                                            "pg_control_checkpoint())"};
        CHECK(check_age("datminmxid", next_multi + " - 199000000") == "ok");
        CHECK(check_age("datminmxid", next_multi + " - 201000000").starts_with("warning 201"));
        CHECK(check("transaction_age") == "ok");
    }

    TEST_CASE_FIXTURE(
        own_server,
        "each setting of the server is found when it is wrong" * doctest::test_suite("night")
    )
    {
        // Which minor version is installed is not ours to judge: the rule has a test of its own.
        auto const wrong =
            std::string{"select coalesce(string_agg(name, ' '), 'nothing') from "
                        "gapless.health_checks(10) where "
                        "not fine and severity <> 'info' and name <> 'server_version'"};
        CHECK(run(wrong) == "nothing");
        CHECK(check("synchronous_standby_names") == "info ");
        struct setting
        {
            std::string name;
            std::string bad;
            std::string found;
            std::string good;
        };
        setting const settings[] = {
            {"fsync", "'off'", "risk off", "'on'"},
            {"full_page_writes", "'off'", "risk off", "'on'"},
            {"autovacuum", "'off'", "warning off", "'on'"},
            {"default_transaction_read_only", "'on'", "stop on", "'off'"},
            {"synchronous_commit", "'local'", "warning local", "'on'"},
            {"synchronous_standby_names", "''", "info ", "'nobody'"},
        };
        for (auto const& [name, bad, found, good] : settings)
        {
            CAPTURE(name);
            set(name, bad);
            CHECK(check(name) == found);
            set(name, good);
            CHECK(check(name) == "ok");
        }
        CHECK(check("standby_missing") == "warning 0 of 1");
        set("synchronous_standby_names", "'any 2 (a, b, c)'");
        CHECK(check("standby_missing") == "warning 0 of 2");
        set("synchronous_standby_names", "''");
        CHECK(check("standby_missing") == "ok");

        CHECK(check("data_checksums") == "ok");
        cluster.stop();
        auto const folder =
            test::run_program({.words = {GAPLESS_SOURCE_DIR "/tools/lib/postgres_bin"}});
        auto const switched_off = test::run_program(
            {.words =
                 {folder.out.substr(0, folder.out.find('\n')) + "/pg_checksums",
                  "--disable",
                  cluster.data()}}
        );
        CHECK_MESSAGE(switched_off.code == 0, switched_off.err);
        cluster.start();
        CHECK(check("data_checksums") == "warning off");
    }

    TEST_CASE_FIXTURE(
        own_server,
        "an owner who may not see who waits for the standby is told so" *
            doctest::test_suite("night")
    )
    {
        run("create role modest; grant usage on schema gapless to "
            "modest; grant select on all tables in schema gapless to modest; grant execute on all "
            "functions in schema gapless to modest; alter function "
            "gapless.health_checks(integer, interval) owner to modest");
        CHECK(check("standby_unseen") == "ok");  // nobody waits for one
        set("synchronous_standby_names", "'nobody'");
        CHECK(check("standby_unseen") == "warning modest");
        CHECK(check("standby_missing") == "ok");  // it cannot say
        run("set synchronous_commit = local; grant pg_read_all_stats to modest");
        CHECK(check("standby_unseen") == "ok");
        CHECK(check("standby_missing") == "warning 0 of 1");
    }

    TEST_CASE_FIXTURE(
        own_server,
        "a prepared transaction that nobody ends is found" * doctest::test_suite("night")
    )
    {
        CHECK(check("prepared_transactions", "null, '0 s'") == "ok");
        run("begin; create table public.t (); prepare transaction 'forgotten'");
        CHECK(check("prepared_transactions", "null, '0 s'") == "warning forgotten");
        CHECK(check("prepared_transactions", "null, '1 day'") == "ok");
        run("rollback prepared 'forgotten'");
        CHECK(check("prepared_transactions", "null, '0 s'") == "ok");
    }

    TEST_CASE_FIXTURE(checked_server, "the default of the role counts for synchronous_commit")
    {
        run("alter database " + name() + " set synchronous_commit = off");
        pqxx::connection later{url()};
        auto const look = "select value from gapless.health_checks(null) where not fine and name = "
                          "'synchronous_commit'";
        CHECK(test::run(later, look) == "off");
        CHECK(test::run(later, "set synchronous_commit = on; " + std::string{look}) == "off");
        CHECK(test::run(connection(), look).empty());
    }

    TEST_CASE_FIXTURE(checked_server, "a connection limit below what an instance opens is found")
    {
        CHECK(check("connections", "6") == "ok");
        CHECK(check("connections", "100000").starts_with("warning "));
        run("alter database " + name() + " connection limit 5");
        CHECK(check("connections", "6") == "warning 5");
        CHECK(check("connections", "5") == "ok");
        CHECK(check("connections") == "ok");
    }

    TEST_CASE_FIXTURE(checked_server, "a slot that nobody reads is found")
    {
        auto const slot = name() + "_slot";
        run("select pg_create_physical_replication_slot('" + slot + "', true)");
        CHECK(check("replication_slots").find(slot) != std::string::npos);
        run("select pg_drop_replication_slot('" + slot + "')");
        CHECK(check("replication_slots").find(slot) == std::string::npos);
    }
}

}  // namespace health_test
