#include "people.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::people;

namespace {

struct act
{
    std::string sql;  // 'liar' is whom the caller names as the actor
    std::string scope;
    std::string audited;    // the action in the audit log; empty: the numbers' history has it
    std::string elsewhere;  // refusal for a token of another series; empty: it may, too
};

// In an order in which each can be done after the ones before. Block 3 is the last one queued, the
// numbers of ordinals 1 and 2 are issued, that of ordinal 3 is held; token 1 is there to be
// revoked.
act const acts[] = {
    {"select gapless.series_create('new', 'c', null, null, null, null, null, null, 'liar')",
     "admin",
     "series.create",
     "forbidden"},
    {"select gapless.series_change('s', '{\"low_water\": 5}', null, 'liar')",
     "admin",
     "series.change",
     "unknown-series"},
    {"select gapless.block_load('s', 900, 909, null, null, null, 'liar')",
     "load",
     "block.load",
     "unknown-series"},
    {"select * from gapless.block_load_many('s', '{1000}', '{1009}', '{null}', '{null}', 'liar')",
     "load",
     "block.load",
     "unknown-series"},
    {"select gapless.block_move(3, 2, 'liar')", "load", "block.move", "unknown-series"},
    {"select gapless.block_close(3, 'wet', 'liar')", "load", "block.close", "unknown-series"},
    {"select gapless.format_declare('own', '{\"number\": \"{n}\"}', 'liar')",
     "admin",
     "format.declare",
     ""},
    {"select gapless.token_create('more', sha256('more'), '{read}', '{s}', null, 'liar')",
     "admin",
     "token.create",
     "forbidden"},
    {"select gapless.token_revoke(1, 'liar')", "admin", "token.revoke", "forbidden"},
    {"select gapless.manifest_close('s', '2026-01-01', 'liar')",
     "issue",
     "manifest.close",
     "unknown-series"},
    {"select gapless.note_event(1, 'printed', '{[1,3)}', 'liar', null, false)",
     "issue",
     "",
     "unknown-series"},
    {"select gapless.hold_settle(1, 0, 3, null, true, 'liar')", "issue", "", "unknown-series"},
};

std::string const all_scopes = "{issue,read,load,admin}";

/// Series s and t, and a session of the service that may call every one of the acts: also those
/// that HTTP does not offer and that are not granted to it.
struct scoped : people
{
    scoped()
    {
        create_series("t", {{5'000, 5'009}}, "elsewhere");
        issue("s", {.key = "hold", .count = 1, .hold_seconds = 3'600});
        create_token("to be revoked", all_scopes);
        run("grant execute on function gapless.block_move(integer, integer, text), "
            "gapless.block_close(integer, text, text), gapless.token_revoke(integer, text), "
            "gapless.token_create(text, bytea, text[], text[], timestamptz, text, integer, "
            "integer, bigint) to gapless_service");
    }

    /// Returns the id. The secret is the name.
    int create_token(
        std::string const& name,
        std::string const& scopes,
        std::string const& series = "null",
        std::string const& expires = "null"
    )
    {
        return std::stoi(
            run("select gapless.token_create('" + name + "', sha256('" + name + "'), '" + scopes +
                "', " + series + ", " + expires + ", 'anna')")
        );
    }

    std::string service(std::string const& sql) { return as("gapless_service", sql); }

    /// Every row of every table.
    std::string records()
    {
        return run("select md5(string_agg(query_to_xml('select * from gapless.' || c.relname || "
                   "' t order by t::text', true, true, '')::text, '' order by c.relname)) "
                   "from pg_class c where c.relnamespace = 'gapless'::regnamespace and "
                   "c.relkind = 'r'");
    }

    /// Each act, with these words before it, is refused like that and leaves everything as it was.
    void check_refused(std::string const& words, std::string const& refusal)
    {
        auto const before = records();
        for (auto const& each : acts)
        {
            CAPTURE(each.sql);
            CHECK(service(words + each.sql) == "refused: " + refusal);
        }
        CHECK(records() == before);
    }

    /// Actor and token of the latest row in the audit log or in the history of numbers.
    std::string recorded(act const& done)
    {
        if (done.audited.empty())
            return run("select actor from gapless.number_event order by at desc limit 1");
        return run("select action, actor, token_id from gapless.audit_log order by audit_id desc "
                   "limit 1");
    }
};

}  // namespace

TEST_SUITE("store/scope")
{
    TEST_CASE_FIXTURE(scoped, "the service changes nothing without a token it was shown")
    {
        auto const good = create_token("good", all_scopes);
        check_refused("", "unauthenticated");
        check_refused(shown(good, "guess"), "unauthenticated");
        check_refused(shown(good + 1, "good"), "unauthenticated");
        auto const id = std::to_string(good);
        check_refused("set local gapless.token_id = " + id + "; ", "unauthenticated");
        check_refused(
            "set local gapless.token_id = " + id + "; set local gapless.token_hash = ''; ",
            "unauthenticated"
        );
        check_refused(
            "select set_config('gapless.token_hash', encode(sha256('good'), 'hex'), true); ",
            "unauthenticated"
        );
    }

    TEST_CASE_FIXTURE(scoped, "a token that is not in force changes nothing")
    {
        auto const gone = create_token("gone", all_scopes);
        run("select gapless.token_revoke(" + std::to_string(gone) + ", 'anna')");
        check_refused(shown(gone, "gone"), "unauthenticated");
        auto const old = create_token("old", all_scopes, "null", "now() - interval '1 second'");
        check_refused(shown(old, "old"), "unauthenticated");
    }

    TEST_CASE_FIXTURE(scoped, "a token without the scope changes nothing, whatever else it may")
    {
        auto const no_admin = create_token("no admin", "{issue,read,load}");
        auto const no_load = create_token("no load", "{issue,read,admin}");
        auto const no_issue = create_token("no issue", "{read,load,admin}");
        auto const before = records();
        for (auto const& each : acts)
        {
            CAPTURE(each.sql);
            auto const words = each.scope == "admin"  ? shown(no_admin, "no admin")
                               : each.scope == "load" ? shown(no_load, "no load")
                                                      : shown(no_issue, "no issue");
            CHECK(service(words + each.sql) == "refused: forbidden");
        }
        CHECK(records() == before);
    }

    TEST_CASE_FIXTURE(scoped, "a token for other series changes nothing, and sees nothing missing")
    {
        auto const other = create_token("other", all_scopes, "'{t}'");
        auto const before = records();
        for (auto const& each : acts)
            if (!each.elsewhere.empty())
            {
                CAPTURE(each.sql);
                CHECK(service(shown(other, "other") + each.sql) == "refused: " + each.elsewhere);
            }
        CHECK(records() == before);

        auto const says = [&](std::string const& sql) {
            pqxx::connection own{url_as(login("gapless_service"), "test")};
            pqxx::work transaction{own};
            try
            {
                transaction.exec(shown(other, "other") + sql);
            }
            catch (pqxx::sql_error const& error)
            {
                return std::string{error.what()};
            }
            return std::string{};
        };
        CHECK(says("select gapless.block_close(99, 'x', 'me')") != "");
        CHECK(
            says("select gapless.block_close(1, 'x', 'me')") ==
            says("select gapless.block_close(99, 'x', 'me')")
        );
        CHECK(
            says("select gapless.block_load('s', 1, 2, null, null, null, 'me')") ==
            says("select gapless.block_load('none', 1, 2, null, null, null, 'me')")
        );
    }

    TEST_CASE_FIXTURE(scoped, "a token with the scope acts, and the records name it")
    {
        auto const id = std::to_string(create_token("good", all_scopes));
        for (auto const& each : acts)
        {
            CAPTURE(each.sql);
            auto const outcome = service(shown(std::stoi(id), "good") + each.sql);
            CHECK(outcome.find("refused") == std::string::npos);
            CHECK(outcome.find("denied") == std::string::npos);
            CHECK(
                recorded(each) ==
                (each.audited.empty() ? "token:good" : each.audited + "|token:good|" + id)
            );
        }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(scoped, "a token of the series alone acts there")
    {
        auto const own = create_token("own", all_scopes, "'{s}'");
        for (auto const& each : acts)
            if (each.elsewhere == "unknown-series")
            {
                CAPTURE(each.sql);
                CHECK(service(shown(own, "own") + each.sql).find("refused") == std::string::npos);
                CHECK(recorded(each).find("token:own") != std::string::npos);
            }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(scoped, "a token gives and takes nothing beyond its own scopes and series")
    {
        auto const own = create_token("own", "{read,admin}", "'{s}'");
        auto const create = [&](std::string const& scopes, std::string const& series) {
            return service(
                shown(own, "own") + "select gapless.token_create('x', sha256('x'), '" + scopes +
                "', " + series + ", null, 'liar') > 0"
            );
        };
        CHECK(create("{read}", "'{s}'") == "t");
        CHECK(create("{admin,read}", "'{s}'") == "t");
        auto const before = records();
        CHECK(create("{read,load}", "'{s}'") == "refused: forbidden");
        CHECK(create("{read}", "null") == "refused: forbidden");
        CHECK(create("{read}", "'{s,t}'") == "refused: forbidden");
        CHECK(create("{read}", "'{no-such-series}'") == "refused: forbidden");
        CHECK(
            service(shown(own, "own") + "select gapless.token_revoke(1, 'liar')") ==
            "refused: forbidden"
        );
        CHECK(records() == before);
    }

    TEST_CASE_FIXTURE(scoped, "an administrator acts in his own right, but for no token he invents")
    {
        create_token("good", all_scopes);
        auto const load = "select gapless.block_load('s', 900, 909, null, null, null, 'anna')";
        CHECK(as("gapless_admin", shown(2, "guess") + load) == "refused: unauthenticated");
        CHECK(as("gapless_admin", load) != "refused: unauthenticated");
        CHECK(recorded(acts[2]) == "block.load|anna|null");
        CHECK(as("gapless_service", "set role gapless_admin; " + std::string{load}) == "denied");
    }

    TEST_CASE_FIXTURE(scoped, "an act that needs no token names none that was not shown")
    {
        auto const good = create_token("good", all_scopes);
        auto const raise = "select gapless.fence_raise('test', 'gaplessd')";
        auto const outcome = service(shown(good, "guess") + raise);
        CHECK(outcome.find("refused") == std::string::npos);
        CHECK(run("select count(*) from gapless.audit_log where token_id is not null") == "0");
    }

    TEST_CASE_FIXTURE(scoped, "the service ends expired blocks without a token")
    {
        run("select gapless.series_create('e', 'e', null, null, null, null, null, null, 'anna')");
        run("select gapless.block_load('e', 1, 9, null, null, now() - interval '1 second', 'anna')"
        );
        run("select gapless.block_load('e', 11, 19, null, null, null, 'anna')");
        auto const numbers = service("select number from gapless.issue('e')");
        CHECK(numbers == "11");
        run("select gapless.series_create('f', 'f', null, null, null, null, null, null, 'anna')");
        run("select gapless.block_load('f', 1, 9, null, null, now() - interval '1 second', 'anna')"
        );
        CHECK(service("select blocks from gapless.sweep()") == "1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(scoped, "nothing tells the service the hash of a secret")
    {
        CHECK(
            run("select string_agg(p.proname, ' ') from pg_proc p where p.pronamespace = "
                "'gapless'::regnamespace and has_function_privilege('gapless_service', p.oid, "
                "'execute') and p.prosrc like '%secret_hash%' and p.proname <> 'token_create'"
            ) == "token_identify"
        );
        auto const good = std::to_string(create_token("good", all_scopes));
        auto const hash = run("select encode(sha256('good'), 'hex')");
        CHECK(service("select gapless.token_identify(" + good + ", sha256('guess'))") == "");
        auto const row = service("select gapless.token_identify(" + good + ", sha256('good'))");
        CHECK(row.find("good") != std::string::npos);
        CHECK(row.find(hash) == std::string::npos);
        CHECK(service("select * from gapless.token_report()") == "denied");
    }
}
