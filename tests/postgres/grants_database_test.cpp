#include "harness/people.hpp"

#include <doctest/doctest.h>

namespace grants_test {

using namespace gapless;
using test::people;

std::string const batch = "'{1}', '{1}', array[gen_random_uuid()], '{null}'";
std::string const serializable = "set transaction isolation level serializable; ";

TEST_SUITE("postgres/grants_database")
{
    TEST_CASE_FIXTURE(people, "the service runs what it needs")
    {
        auto const service = [&](std::string const& sql) { return as("gapless_service", sql); };
        run("select gapless.token_create('shop', sha256('x'), '{load,admin}', null, null, 'anna')");

        CHECK(
            service(
                serializable + "select serial from gapless.issue_plain(1, '{0}', " + batch +
                ", true)"
            ) == "102"
        );
        CHECK(
            service(
                serializable + "select serial from gapless.issue_requests(1, " + batch +
                ", '{false}', true)"
            ) == "103"
        );
        CHECK(service("select name, next from gapless.series_report()") == "s|104");
        CHECK(service("select count(*) from gapless.block_report()") == "3");
        CHECK(service("select count(*) from gapless.verify()") == "0");
        CHECK(service("select findings from gapless.verify_series(1)") == "[]");
        CHECK(service("select count(*) from gapless.issuance_report(1, 0::smallint, 1)") == "1");
        CHECK(service("select count(*) from gapless.issuance_ranges(1, 0::smallint, 1)") == "1");
        CHECK(service("select count(*) from gapless.sql_states()").size() == 2);
        CHECK(service("select count(*) from gapless.health_checks(6)") == "21");
        CHECK(service("select gapless.environment_name()") == "null");
        CHECK(service("select name from gapless.token_identify(1, sha256('x'))") == "shop");
        auto const acting = [&](std::string const& sql) { return service(shown("1", "x") + sql); };
        CHECK(
            acting("select gapless.series_create('t', 'c', null, null, null, null, null, null, "
                   "'token:1')") == "2"
        );
        CHECK(acting("select gapless.series_change('t', '{\"paused\": true}', null, 'token:1')")
                  .empty());
        CHECK(
            acting("select gapless.block_load('t', 900, 909, null, null, null, 'token:1')") == "4"
        );
        CHECK(service("select gapless.answer_keep(9, 'k', sha256('x'), 201, null, '{}')")
                  .starts_with("23503"));
        CHECK(service("select count(*) from gapless.answer_find(9, 'k', sha256('x'))") == "0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(people, "an application issues and reads")
    {
        auto const app = [&](std::string const& sql) { return as("gapless_app", sql); };

        CHECK(app("select number from gapless.issue('s', 1, 'k')") == "102");
        CHECK(app("select number from gapless.issue('s', 1, 'k')") == "102");
        CHECK(app("select name, next from gapless.series_report()") == "s|103");
        CHECK(app("select number from gapless.issue('s', 1::bigint)") == "103");
        CHECK(app("select count(*) from gapless.verify()") == "0");
        CHECK(app("select gapless.block_load('s', 900, 909, null, null, null, 'me')") == "denied");
        CHECK(app("select gapless.block_close(1, 'x', 'me')") == "denied");
        CHECK(app("select * from gapless.token_report()") == "denied");
        CHECK(app("select * from gapless.ledger") == "denied");
        CHECK(
            app("select * from gapless.issue_requests(1, " + batch + ", '{false}', false)") ==
            "denied"
        );
    }

    TEST_CASE_FIXTURE(people, "keys of two database roles do not meet")
    {
        CHECK(as("gapless_app", "select number from gapless.issue('s', 1, 'k')") == "102");
        CHECK(as("gapless_admin", "select number from gapless.issue('s', 2, 'k')") == "103 104");
        CHECK(run("select number from gapless.issue('s', 3, 'k')") == "105 106 107");
        CHECK(as("gapless_app", "select number from gapless.issue('s', 1, 'k')") == "102");
    }

    TEST_CASE_FIXTURE(
        people,
        "an administrator loads, moves, closes, creates and revokes, but goes around nothing"
    )
    {
        auto const admin = [&](std::string const& sql) { return as("gapless_admin", sql); };

        CHECK(admin("select gapless.block_load('s', 900, 909, null, null, null, 'anna')") == "4");
        CHECK(admin("select gapless.block_move(3, 2, 'anna')").empty());
        CHECK(admin("select gapless.block_close(2, 'wet', 'anna')") == "10");
        CHECK(
            admin("select gapless.token_create('shop', sha256('x'), '{issue}', null, null, 'anna')"
            ) == "1"
        );
        CHECK(admin("select count(*) from gapless.token_report()") == "1");
        CHECK(admin("select gapless.token_revoke(1, 'anna')").empty());
        CHECK(admin("select number from gapless.issue('s')") == "102");
        CHECK(admin("update gapless.counter set paused = true") == "denied");
        CHECK(admin("insert into gapless.ledger select * from gapless.ledger") == "denied");
        CHECK(admin("delete from gapless.audit_log") == "denied");
        CHECK(admin("select * from gapless.token") == "denied");
        CHECK(admin("alter table gapless.ledger disable trigger all") == "denied");
        CHECK(admin("select gapless.audit('a', 'b', 'c', null, null)") == "denied");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(people, "an auditor reads everything but secrets, and changes nothing")
    {
        auto const audit = [&](std::string const& sql) { return as("gapless_audit", sql); };

        for (std::string const table :
             {"series",
              "block",
              "counter",
              "ledger",
              "issuance",
              "audit_log",
              "epoch",
              "carrier",
              "seal",
              "token_owner"})
        {
            CAPTURE(table);
            CHECK(audit("select count(*) >= 0 from gapless." + table) == "t");
            CHECK(audit("delete from gapless." + table) == "denied");
        }
        CHECK(audit("select count(*) from gapless.verify()") == "0");
        CHECK(audit("select findings from gapless.verify_chain(1)") == "[]");
        CHECK(audit("select count(*) > 0 from gapless.unsealed()") == "t");
        CHECK(audit("select count(*) from gapless.seal_heads()") == "0");
        CHECK(audit("select gapless.seal(1)") == "denied");
        CHECK(audit("select * from gapless.token") == "denied");
        CHECK(audit("select * from gapless.token_report()") == "denied");
        CHECK(audit("select * from gapless.answered_request") == "denied");
        CHECK(audit("select * from gapless.webhook") == "denied");
        CHECK(audit("select * from gapless.issue('s')") == "denied");
        CHECK(
            audit("select gapless.block_load('s', 900, 909, null, null, null, 'me')") == "denied"
        );
        CHECK(audit("select gapless.series_change('s', '{}', null, 'me')") == "denied");
    }

    TEST_CASE_FIXTURE(people, "an auditor calls what an administrator reads with")
    {
        // What shows tokens, webhooks and the audit log, or is a part of a change.
        CHECK(
            run("select string_agg(proname, ' ' order by proname) from pg_proc "
                "where pronamespace = 'gapless'::regnamespace and provolatile <> 'v' "
                "and has_function_privilege('gapless_admin', oid, 'execute') "
                "and not has_function_privilege('gapless_audit', oid, 'execute')") ==
            "audit_page epoch_room erasable_references leases_unproven space_of token_page "
            "token_report two_people_load webhook_page"
        );
        issue("s", {.key = "held", .hold_seconds = 600});
        auto const lease = "select count(*) from gapless.lease_report(gen_random_uuid())";
        for (std::string const role : {"gapless_admin", "gapless_audit"})
        {
            CHECK(as(role, "select held from gapless.open_holds()") == "1");
            CHECK(as(role, "select held from gapless.open_holds('s')") == "1");
            CHECK(as(role, "select count(*) from gapless.lease_page('s')") == "0");
            CHECK(as(role, lease) == "0");
        }
        CHECK(as("gapless_app", lease) == "denied");
        CHECK(as("gapless_service", lease) == "refused: unauthenticated");
        // Were he granted what changes something, he would still need a token for it.
        run("grant execute on function gapless.require_scope(text, text, text), "
            "gapless.acts_as_owner() to " +
            login("gapless_audit"));
        for (std::string const scope : {"read", "issue", "load", "admin"})
            CHECK(
                as("gapless_audit", "select gapless.require_scope('" + scope + "', null, 'me')") ==
                (scope == "read" ? "me" : "refused: unauthenticated")
            );
    }

    TEST_CASE_FIXTURE(people, "notices are numbered by the service and read by who runs it")
    {
        auto const service = [&](std::string const& sql) { return as("gapless_service", sql); };
        std::string const read = "select count(*) from gapless.notice_page()";

        for (std::string const role : {"gapless_app", "gapless_audit"})
        {
            CHECK(as(role, "select gapless.notices_publish()") == "denied");
            CHECK(as(role, "select gapless.notices_find()") == "denied");
            CHECK(as(role, "select * from gapless.webhook_page()") == "denied");
        }
        CHECK(service("select gapless.notices_publish()") == "4");  // three loaded, one opened
        for (std::string const role : {"gapless_service", "gapless_admin", "gapless_audit"})
            CHECK(as(role, read) == "4");
        CHECK(as("gapless_app", read) == "denied");
        CHECK(as("gapless_app", "select count(*) from gapless.notice_kinds()") == "16");
        CHECK(as("gapless_app", "select gapless.notice_verified(1)") == "denied");
        CHECK(as("gapless_audit", "select gapless.notice_verified(1)").empty());
        CHECK(service("select gapless.notices_publish()") == "1");
    }

    TEST_CASE_FIXTURE(people, "the service delivers, and makes webhooks for tokens only")
    {
        auto const service = [&](std::string const& sql) { return as("gapless_service", sql); };
        auto const admin = [&](std::string const& sql) { return as("gapless_admin", sql); };
        std::string const create =
            "select webhook_id from gapless.webhook_create('https://a.example', null, null, null, "
            "'me')";

        CHECK(service(create) == "refused: unauthenticated");
        CHECK(service("select * from gapless.webhook_page()") == "refused: unauthenticated");
        CHECK(admin(create) == "1");
        CHECK(admin("select state from gapless.webhook_page()") == "active");
        CHECK(admin("select gapless.webhook_sender_take()") == "denied");
        CHECK(admin("select * from gapless.webhook_due(1)") == "denied");
        pqxx::connection sender{url_as(login("gapless_service"), "test")};
        auto const due = "select count(*) from gapless.webhook_due(1)";
        auto const report =
            "select gapless.webhook_report('{1}', array[gen_random_uuid()], '{1}', '{x}', '{0}', "
            "'{f}')";
        CHECK(test::run(sender, due) == "refused: state-conflict");
        CHECK(test::run(sender, "select gapless.webhook_sender_take()") == "t");
        CHECK(test::run(sender, due) == "0");
        CHECK(test::run(sender, report).empty());
        // Another session of its role learns no secrets and moves no cursor.
        CHECK(service(due) == "refused: state-conflict");
        CHECK(service(report) == "refused: state-conflict");
        CHECK(service("select gapless.webhook_lock('{1}')") == "refused: state-conflict");
        CHECK(service("select gapless.webhook_sender_take()") == "f");
        CHECK(test::run(sender, due) == "0");
        CHECK(test::run(sender, "select pg_advisory_unlock(28279, 0)") == "t");
        pqxx::connection stranger{url_as(login("gapless_audit"), "test")};
        test::run(stranger, "select pg_advisory_lock(28279, 0)");
        CHECK(service("select gapless.webhook_sender_take()") == "refused: state-conflict");
    }

    TEST_CASE_FIXTURE(people, "the service deletes nothing that is young")
    {
        for (std::string const role : {"gapless_service", "gapless_admin"})
            for (std::string const age : {"0 s", "89 days", "-1 year"})
                CHECK(
                    as(role, "select gapless.notices_expire('" + age + "')") ==
                    "refused: out-of-range"
                );
        for (std::string const age : {"0", "59 min", "-1 year"})
            CHECK(
                as("gapless_service", "select gapless.answers_expire('" + age + "')") ==
                "refused: out-of-range"
            );
        CHECK(
            as("gapless_service", "select gapless.notices_expire(null)") == "refused: out-of-range"
        );
        CHECK(as("gapless_service", "select gapless.notices_expire()") == "0");
        CHECK(as("gapless_service", "select gapless.answers_expire('1 hour')") == "0");
    }

    TEST_CASE_FIXTURE(people, "no role of ours writes to a table by itself")
    {
        auto const found = run(
            "select string_agg(format('%s %s %s', grantee, privilege_type, table_name), ', ') from "
            "information_schema.table_privileges where table_schema = 'gapless' and grantee in "
            "('PUBLIC', 'gapless_service', 'gapless_app', 'gapless_admin', 'gapless_audit') and "
            "(privilege_type <> 'SELECT' or grantee <> 'gapless_audit')"
        );
        CHECK(found == "null");
    }
}

}  // namespace grants_test
