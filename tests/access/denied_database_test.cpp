#include "harness/people.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace denied_test {

using namespace gapless;
using test::people;

// What the service tries. That no role writes to any table is also of postgres/grants.
constexpr std::string_view of_tables[] = {
    "select * from gapless.ledger",
    "select * from gapless.token",
    "select url, secret, credentials from gapless.webhook",
    "insert into gapless.ledger default values",
    "update gapless.counter set next_serial = 0",
    "delete from gapless.ledger",
    "truncate gapless.ledger",
    "lock table gapless.counter in exclusive mode",
    "select * from gapless.counter for update",
    "select nextval('gapless.series_series_id_seq')",
    "copy gapless.ledger to stdout",
};

constexpr std::string_view of_structure[] = {
    "alter table gapless.ledger disable trigger all",
    "alter table gapless.ledger owner to current_user",
    "drop table gapless.ledger",
    "drop function gapless.issue_plain",
    "drop trigger ledger_is_append_only on gapless.ledger",
    "create table gapless.mine (x integer)",
    "create function gapless.mine() returns integer language sql as 'select 1'",
    "create or replace function gapless.assert_safe_to_issue(p_serializable boolean) "
    "returns void language sql as ''",
    "create index on gapless.ledger (serial)",
    "create trigger mine before insert on gapless.ledger for each row execute function "
    "gapless.append_only()",
    "create schema mine",
    "create extension dblink",
    "grant execute on function gapless.block_end(integer, text, text) to public",
    "reassign owned by gapless to current_user",
    "alter role current_user createdb",
    "drop role gapless_admin",
    "copy gapless.ledger from '/tmp/mine'",
    "copy gapless.token from program 'true'",
    "select gapless.environment_set('x', 'me')",
    "select gapless.epoch_propose(2, 'r', '{}', 'me')",
    "select pg_read_binary_file('/etc/passwd')",
    "select pg_stat_file('/etc/passwd')",
    "select lo_export(1, '/tmp/mine')",
    "select pg_promote()",
    "select pg_create_physical_replication_slot('mine')",
    "set log_statement = 'none'",
    "set session authorization default; set role pg_execute_server_program",
    "create rule mine as on insert to gapless.ledger do instead nothing",
};

constexpr std::string_view of_functions[] = {
    "select * from gapless.issue_across_blocks(1, 1, 1, gen_random_uuid(), null, false, "
    "null, now(), false)",
    "select * from gapless.issue_run(1, '{1}', '{0}', '{1}', '{1}', "
    "array[gen_random_uuid()], '{null}', null, true, now())",
    "select gapless.roll_over(1, array[2], array[3], array[200], array[1], now())",
    "select gapless.epoch_open(2, 'r', null, 'me')",
    "select gapless.epoch_begin(2, 'r', 'me')",
    "select gapless.epoch_fill(1, 100, false, 'r', 'me')",
    "select gapless.epoch_void_returning('r', 'me')",
    "insert into gapless.fence (epoch, raised_by, reason) values (1, 'me', 'r')",
    "select gapless.owner_id('role:postgres')",
    "select gapless.audit('a', 'b', 'c', null, null)",
    "select gapless.block_end(1, 'x', 'me')",
    "select gapless.notice_add('fence.raised', null)",
    "select gapless.webhook_pass_over('{}')",
    "select gapless.acting_token()",
    "select gapless.require_scope('admin', null, 'me')",
    "select * from gapless.token_report()",
    "select * from gapless.overlapping_blocks('carrier', 1, 2)",
};

constexpr std::string_view of_the_server[] = {
    "set role gapless_admin",
    "set role gapless",
    "set session authorization gapless",
    "create role mine",
    "grant gapless_admin to current_user",
    "grant select on gapless.ledger to current_user",
    "alter role gapless_service superuser",
    "copy (select 1) to program 'true'",
    "copy (select 1) to '/tmp/mine'",
    "select pg_read_file('/etc/passwd')",
    "select pg_ls_dir('/')",
    "select lo_import('/etc/passwd')",
    "select pg_reload_conf()",
    "select pg_switch_wal()",
    "set session_replication_role = replica",
    "select secret_hash from gapless.token",
    "select rolpassword from pg_authid",
};

TEST_SUITE("access/denied_database")
{
    TEST_CASE_FIXTURE(people, "the service is denied everything else")
    {
        pqxx::connection service{url_as(login("gapless_service"), "test")};
        for (auto const statements : std::initializer_list<std::span<std::string_view const>>{
                 of_tables, of_structure, of_functions, of_the_server})
            for (auto const statement : statements)
            {
                auto const outcome = test::run(service, std::string{statement});
                CHECK_MESSAGE(outcome.starts_with("42501"), statement, " -> ", outcome);
            }
        for (std::string const statement :
             {"create database mine",
              "alter system set fsync = off",
              "create tablespace mine location '/tmp'"})
        {
            pqxx::nontransaction plain{service};
            CHECK_THROWS_AS_MESSAGE(
                execute(plain, statement), pqxx::insufficient_privilege, statement
            );
        }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(people, "a read-only role of everybody has no access at all")
    {
        run("create role " + login("nobody") + " login password 'test'");
        CHECK(as("nobody", "select * from gapless.series_report()") == "denied");
        CHECK(as("nobody", "select * from gapless.issue('s')") == "denied");
        CHECK(as("nobody", "select * from gapless.ledger") == "denied");
        CHECK(as("nobody", "select gapless.sql_states()") == "denied");
        run("drop role " + login("nobody"));
    }

    TEST_CASE_FIXTURE(people, "objects that shadow ours have no effect")
    {
        pqxx::connection app{url_as(login("gapless_app"), "test")};
        test::run(
            app,
            "create temp table counter as select 1 as series_id, 1 as block_id, 1::bigint as "
            "next_serial"
        );
        test::run(app, "create temp table ledger (x integer)");
        test::run(app, "create temp table series as select 7 as series_id, 's'::text as name");
        test::run(
            app,
            "create function pg_temp.now() returns timestamptz language sql as $$ select "
            "'1970-01-01'::timestamptz $$"
        );
        test::run(
            app,
            "create function pg_temp.current_setting(text) returns text language sql as $$ select "
            "'on'::text $$"
        );
        test::run(
            app,
            "create function pg_temp.int8pl_lies(bigint, bigint) returns bigint language sql as $$ "
            "select 0::bigint $$"
        );
        test::run(
            app,
            "create operator pg_temp.+ (function = pg_temp.int8pl_lies, leftarg = bigint, rightarg "
            "= bigint)"
        );
        test::run(
            app,
            "create operator pg_temp.= (function = int8ne, leftarg = bigint, rightarg = bigint)"
        );
        test::run(app, "set search_path = pg_temp, gapless, public, pg_catalog");

        CHECK(test::run(app, "select * from gapless.issue('s', 3, 'k')") == "102|3 103|4 104|5");
        CHECK(
            test::run(
                app, "set local synchronous_commit = off; select * from gapless.issue('s')"
            ) == "refused: database-unavailable"
        );
        CHECK(
            run("select issued_at > '2020-01-01' from gapless.ledger order by ordinal desc limit 1"
            ) == "t"
        );
        CHECK(verify() == "gapless");
    }
}

}  // namespace denied_test
