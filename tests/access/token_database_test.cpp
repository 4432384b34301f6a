#include "harness/issuing.hpp"

#include <doctest/doctest.h>

namespace token_test {

using namespace gapless;
using test::issuing;

struct tokens : issuing
{
    std::string create(
        std::string const& name,
        std::string const& scopes,
        std::string const& series = "null",
        std::string const& expires = "null"
    )
    {
        return run(
            "select gapless.token_create('" + name + "', sha256('secret'), " + scopes + ", " +
            series + ", " + expires + ", 'anna')"
        );
    }
};

TEST_SUITE("access/token_database")
{
    TEST_CASE_FIXTURE(tokens, "a new database has no token and no role of ours can log in")
    {
        CHECK(run("select count(*) from gapless.token") == "0");
        CHECK(
            run("select count(*), count(*) filter (where rolcanlogin or rolsuper) from pg_roles "
                "where rolname in ('gapless_service', 'gapless_app', 'gapless_admin', "
                "'gapless_audit')") == "4|0"
        );
    }

    TEST_CASE_FIXTURE(tokens, "a token is in force until it is revoked")
    {
        CHECK(create("shop", "'{issue,read}'") == "1");
        CHECK(
            run("select token_id, name, scopes, series, expires_at, revoked_at, in_force from "
                "gapless.token_report()") == "1|shop|{issue,read}|null|null|null|t"
        );
        CHECK(run("select gapless.token_revoke(1, 'bert')").empty());
        CHECK(run("select in_force, revoked_at is not null from gapless.token_report(1)") == "f|t");
        CHECK(
            run("select actor, action, subject from gapless.audit_log order by audit_id") ==
            "sql:anna|token.create|1 sql:bert|token.revoke|1"
        );
    }

    TEST_CASE_FIXTURE(
        tokens, "revoking is repeatable and is kept once, an unknown token is refused"
    )
    {
        create("shop", "'{issue}'");
        run("select gapless.token_revoke(1, 'bert')");
        auto const revoked_at = run("select revoked_at from gapless.token_report(1)");

        CHECK(run("select gapless.token_revoke(1, 'carl')").empty());
        CHECK(run("select revoked_at from gapless.token_report(1)") == revoked_at);
        CHECK(run("select count(*) from gapless.audit_log where action = 'token.revoke'") == "1");
        CHECK(run("select gapless.token_revoke(2, 'carl')") == "refused: not-found");
    }

    TEST_CASE_FIXTURE(tokens, "an expired token is not in force, by the database's clock")
    {
        create("old", "'{issue}'", "null", "now() - interval '1 second'");
        create("new", "'{issue}'", "null", "now() + interval '1 hour'");

        CHECK(run("select name, in_force from gapless.token_report()") == "old|f new|t");
    }

    TEST_CASE_FIXTURE(tokens, "tokens of one name are one owner, others are not")
    {
        create("shop", "'{issue}'");
        create("shop", "'{issue}'");
        create("stall", "'{issue}'");

        CHECK(
            run("select count(distinct owner_id), count(*) from gapless.token_report()") == "2|3"
        );
        CHECK(
            run("select count(distinct owner_id) from gapless.token_report() where name = 'shop'"
            ) == "1"
        );
    }

    TEST_CASE_FIXTURE(tokens, "a token may be for some series only, which have to exist")
    {
        create_series("s", {});
        CHECK(create("shop", "'{issue}'", "'{s}'") == "1");
        CHECK(run("select series from gapless.token_report()") == "{s}");
        CHECK(create("shop", "'{issue}'", "'{s,t}'") == "refused: unknown-series");
        CHECK(run("select count(*) from gapless.token_report()") == "1");
    }

    TEST_CASE_FIXTURE(tokens, "scopes are known ones, at least one")
    {
        CHECK(create("shop", "'{issue,fly}'") == "refused: out-of-range");
        CHECK(create("shop", "'{}'") == "refused: out-of-range");
        CHECK(create("shop", "null") == "refused: out-of-range");
        CHECK(
            run("select (select count(*) from gapless.token), (select count(*) from "
                "gapless.audit_log)") == "0|0"
        );
        create("shop", "'{issue,read,load,admin}'");
        CHECK(run("select scopes from gapless.token_report()") == "{issue,read,load,admin}");
    }

    TEST_CASE_FIXTURE(tokens, "a token may have limits of its own, which are not negative")
    {
        auto const limited = [this](std::string const& limits) {
            return run(
                "select gapless.token_create('shop', sha256('x'), '{issue}', null, null, 'anna', " +
                limits + ")"
            );
        };
        CHECK(limited("50, 100, 20000") == "1");
        CHECK(limited("0, null, 0") == "2");
        CHECK(limited("-1, null, null") == "refused: out-of-range");
        CHECK(limited("null, 0, null") == "refused: out-of-range");
        CHECK(limited("null, null, -1") == "refused: out-of-range");
        CHECK(
            run("select rate, burst, daily_quota from gapless.token_report()") ==
            "50|100|20000 0|null|0"
        );
    }

    TEST_CASE_FIXTURE(tokens, "a token is identified by the hash of its secret alone")
    {
        create("shop", "'{issue}'");
        create("gone", "'{issue}'");
        create("old", "'{issue}'", "null", "now() - interval '1 second'");
        run("select gapless.token_revoke(2, 'anna')");
        auto const identified = [this](std::string const& id, std::string const& hash) {
            return run(
                "select name, in_force, revoked_at is not null from gapless.token_identify(" + id +
                ", " + hash + ")"
            );
        };
        CHECK(identified("1", "sha256('secret')") == "shop|t|f");
        CHECK(identified("2", "sha256('secret')") == "gone|f|t");
        CHECK(identified("3", "sha256('secret')") == "old|f|f");
        CHECK(identified("4", "sha256('secret')") == "");
        CHECK(identified("1", "sha256('other')") == "");
        CHECK(identified("1", "substr(sha256('secret'), 1, 31)") == "");
        CHECK(identified("1", "''") == "");
        CHECK(identified("1", "null") == "");
    }

    TEST_CASE_FIXTURE(tokens, "neither report nor audit log holds a secret")
    {
        create("shop", "'{issue}'");
        CHECK(run("select count(*) from gapless.audit_log a where a::text like '%secret%'") == "0");
        CHECK(
            run("select encode(secret_hash, 'hex') = encode(sha256('secret'), 'hex') from "
                "gapless.token") == "t"
        );
    }
}

}  // namespace token_test
