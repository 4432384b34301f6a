#include "access/scoped.hpp"

#include <doctest/doctest.h>

namespace access_test {

using namespace gapless;
using test::all_scopes;
using test::scoped;

struct reading : scoped
{
    /// What somebody with that token, whose secret is its name, is told.
    std::string with(std::string const& id, std::string const& name, std::string const& sql)
    {
        return service(shown(id, name) + sql);
    }

    static constexpr char const* holds =
        "select string_agg(series || ' ' || held, ', ') from gapless.open_holds()";
    static constexpr char const* tokens =
        "select string_agg(name, ', ' order by token_id) from gapless.token_page()";
    static constexpr char const* acts_of_anna =
        "select count(*) > 0 from gapless.audit_page('sql:anna', null, null, null, null, 10)";
};

TEST_SUITE("access/access_database")
{
    TEST_CASE_FIXTURE(reading, "holds, tokens and acts are told to tokens that were shown only")
    {
        auto const good = create_token("good", all_scopes);
        for (std::string const sql : {holds, tokens, acts_of_anna})
        {
            CAPTURE(sql);
            CHECK(service(sql) == "refused: unauthenticated");
            CHECK(with(good, "guess", sql) == "refused: unauthenticated");
            CHECK(as("gapless_app", sql) == "denied");
            // He reads what is no secret.
            CHECK(as("gapless_audit", sql) == (sql == holds ? "s 1" : "denied"));
        }
        run("select gapless.token_revoke(" + good + ", 'anna')");
        CHECK(with(good, "good", holds) == "refused: unauthenticated");
    }

    TEST_CASE_FIXTURE(reading, "each needs its scope, and has it")
    {
        auto const reader = create_token("reader", "{read}");
        auto const admin = create_token("admin", "{admin}");
        CHECK(with(reader, "reader", holds) == "s 1");
        CHECK(with(admin, "admin", holds) == "refused: forbidden");
        CHECK(with(admin, "admin", tokens) == "to be revoked, reader, admin");
        CHECK(with(reader, "reader", tokens) == "refused: forbidden");
        CHECK(with(admin, "admin", acts_of_anna) == "t");
        CHECK(with(reader, "reader", acts_of_anna) == "refused: forbidden");
        CHECK(as("gapless_admin", holds) == "s 1");
        CHECK(as("gapless_admin", tokens) == "to be revoked, reader, admin");
        CHECK(as("gapless_admin", acts_of_anna) == "t");
    }

    TEST_CASE_FIXTURE(reading, "a token for one series sees no hold and no token of another")
    {
        issue("t", {.key = "t", .count = 2, .hold_seconds = 3'600});
        auto const of_s = create_token("of s", all_scopes, "'{s}'");
        auto const of_t = create_token("of t", all_scopes, "'{t}'");
        auto const of_both = create_token("of both", all_scopes, "'{s,t}'");
        CHECK(with(of_s, "of s", holds) == "s 1");
        CHECK(with(of_t, "of t", holds) == "t 2");
        CHECK(with(of_both, "of both", "select count(*) from gapless.open_holds()") == "2");
        CHECK(with(of_s, "of s", "select series from gapless.open_holds('s')") == "s");
        CHECK(
            with(of_s, "of s", "select series from gapless.open_holds('t')") ==
            "refused: unknown-series"
        );
        CHECK(
            with(of_s, "of s", "select series from gapless.open_holds('none')") ==
            "refused: unknown-series"
        );
        CHECK(
            as("gapless_admin", "select series from gapless.open_holds('none')") ==
            "refused: unknown-series"
        );
        CHECK(with(of_s, "of s", tokens) == "of s");
        CHECK(with(of_both, "of both", tokens) == "of s, of t, of both");
        CHECK(with(of_s, "of s", "select count(*) from gapless.token_page(1)") == "0");
        CHECK(with(of_s, "of s", acts_of_anna) == "refused: forbidden");
        CHECK(with(of_both, "of both", acts_of_anna) == "refused: forbidden");
    }

    TEST_CASE_FIXTURE(reading, "lists begin behind what was seen, and end where they were told to")
    {
        create_token("b", all_scopes);
        create_token("c", all_scopes);
        auto const page = [&](std::string const& arguments) {
            return as(
                "gapless_admin",
                "select string_agg(token_id::text, ' ' order by token_id) from "
                "gapless.token_page(" +
                    arguments + ")"
            );
        };
        CHECK(page("null, null, 2") == "1 2");
        CHECK(page("null, 1, 1") == "2");
        CHECK(page("null, 3") == "null");
        CHECK(page("2") == "2");
        auto const acts_before = [&](std::string const& before, std::string const& limit) {
            return as(
                "gapless_admin",
                "select string_agg(audit_id::text, ' ') from gapless.audit_page(null, null, null, "
                "null, " +
                    before + ", " + limit + ")"
            );
        };
        auto const newest = run("select max(audit_id) from gapless.audit_log");
        CHECK(acts_before("null", "1") == newest);
        CHECK(
            acts_before(newest, "2") ==
            run("select string_agg((" + newest + " - n)::text, ' ') from generate_series(1, 2) n")
        );
        CHECK(acts_before("1", "2") == "null");
        auto const acts_in = [&](std::string const& from, std::string const& to) {
            auto const of = "select count(*) from gapless.audit_page('sql:anna', null, " + from +
                            ", " + to + ", null, 10)";
            return as("gapless_admin", of) != "0";
        };
        CHECK(acts_in("now() - interval '1 hour'", "now()"));
        CHECK_FALSE(acts_in("now()", "null"));
        CHECK_FALSE(acts_in("null", "'2001-01-01'"));
    }

    TEST_CASE_FIXTURE(reading, "acts are found by person, kind, series and block")
    {
        create_series("found", {{1'000, 1'099}, {1'200, 1'299}});
        run("select gapless.block_load_many('found', '{1300,1400}', '{1399,1499}', '{null,null}', "
            "'{null,null}', 'token:ben')");
        run("select from gapless.issue('found', 2); select gapless.note_event((select series_id "
            "from "
            "gapless.series where name = 'found'), 'voided', '{[2,3)}', 'token:ben', 'torn', false)"
        );
        auto const block = [&](int first) {
            return run(
                "select block_id from gapless.block where first_serial = " + std::to_string(first)
            );
        };
        run("select gapless.block_close(" + block(1'200) + ", 'over', 'cli:ben')");
        auto const found = [&](std::string const& wanted) {
            return as(
                "gapless_admin",
                "select string_agg(action, ' ' order by audit_id desc) from gapless.audit_page("
                "p_actor => null, p_subject => null, p_from => null, p_to => null, p_before => "
                "null, p_limit => 100, " +
                    wanted + ")"
            );
        };
        auto const of_ben = [&](std::string const& name) {
            return as(
                "gapless_admin",
                "select count(*) from gapless.audit_page('" + name +
                    "', null, null, null, null, 100)"
            );
        };
        CHECK(of_ben("token:ben") == "0");  // all came from SQL, whatever it says
        CHECK(of_ben("sql:cli:ben") == "1");
        CHECK(of_ben("cli:ben") == "0");
        CHECK(
            found("p_series => 'found'") ==
            "block.close number.voided block.load block.load block.load series.create"
        );
        CHECK(
            found("p_series => 'found', p_action => 'block'") ==
            "block.close block.load block.load block.load"
        );
        CHECK(found("p_series => 'found', p_action => 'block.close'") == "block.close");
        CHECK(found("p_block => " + block(1'000)) == "number.voided block.load");
        CHECK(found("p_block => " + block(1'200)) == "block.close block.load");
        CHECK(found("p_block => " + block(1'400)) == "block.load");
        CHECK(found("p_series => 's', p_block => " + block(1'400)) == "null");
        CHECK(found("p_series => 'none'") == "refused: unknown-series");
        CHECK(found("p_block => 9999") == "refused: not-found");
    }

    TEST_CASE_FIXTURE(reading, "of tokens that share a name the audit log tells which one acted")
    {
        auto const one = create_token("shop", all_scopes);
        auto const two = create_token("shop", all_scopes);
        for (auto const& id : {one, two})
            with(id, "shop", "select gapless.series_change('s', '{}', null, 'x')");
        for (std::string const name : {"token:shop", "shop"})
            CHECK(
                run("select actor, token_id from gapless.audit_page('" + name +
                    "', 's', null, null, null, 9)") == "token:shop|" + two + " token:shop|" + one
            );
    }

    TEST_CASE_FIXTURE(reading, "a hold that is settled or over is open no more")
    {
        CHECK(run(holds) == "s 1");
        run("update gapless.hold set expires_at = now() - interval '1 second'");
        CHECK(run(holds) == "null");
        run("update gapless.hold set expires_at = now() + interval '1 hour'");
        run("select gapless.hold_settle(1, 0, 3, null, true, 'test')");
        CHECK(run(holds) == "null");
    }

    TEST_CASE_FIXTURE(reading, "a manifest is counted once its day is closed")
    {
        CHECK(run("select gapless.manifest_count('s', '2026-01-01')") == "null");
        run("select gapless.manifest_close('s', '2026-01-01', 'test')");
        CHECK(run("select gapless.manifest_count('s', '2026-01-01')") == "0");
        CHECK(run("select gapless.manifest_count('t', '2026-01-01')") == "null");
        CHECK(run("select gapless.manifest_count('s', '2026-01-02')") == "null");
    }
}

}  // namespace access_test
