#include "store/health_store.hpp"
#include "support/database.hpp"

#include <doctest/doctest.h>

using namespace gapless;

namespace {

struct checked_server : test::database
{
    /// "ok", or "<severity> <value>", as the function says with these arguments.
    std::string check(std::string const& name, std::string const& arguments = "null")
    {
        return run(
            "select case when fine then 'ok' else severity || ' ' || value end from "
            "gapless.health_checks(" +
            arguments + ") where name = '" + name + "'"
        );
    }
};

}  // namespace

TEST_SUITE("store/health")
{
    TEST_CASE_FIXTURE(checked_server, "a server as OPERATIONS.md wants it has nothing to warn of")
    {
        // Others use the server, too: what they hold open is not ours to judge here. Nor is which
        // minor version is installed: the rule has a test of its own.
        CHECK(
            run("select coalesce(string_agg(name, ' '), 'nothing') from gapless.health_checks(10) "
                "where not fine and severity <> 'info' and name not in ('old_snapshots', "
                "'prepared_transactions', 'replication_slots', 'server_version')") == "nothing"
        );
        CHECK(check("synchronous_standby_names") == "info ");
    }

    TEST_CASE_FIXTURE(checked_server, "a version gapless is made for is fine, any other is not")
    {
        auto const fits = [&](std::string const& number) {
            return run("select gapless.server_version_fits(" + number + ")") == "t";
        };
        CHECK(fits("150020"));
        CHECK(fits("150021"));
        CHECK(fits("159999"));
        CHECK_FALSE(fits("150019"));
        CHECK_FALSE(fits("150000"));
        CHECK_FALSE(fits("149999"));
        CHECK_FALSE(fits("140025"));
        CHECK_FALSE(fits("160025"));
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
        CHECK(checks.size() == 15);
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
            abandoned.exec("select 1");
            CHECK(found("0 s"));
            CHECK_FALSE(found("1 day"));
        }
        pqxx::work writing{holder};
        writing.exec("select pg_current_xact_id()");
        CHECK(found("0 s"));
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
