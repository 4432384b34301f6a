#include "access/scoped.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using test::act;
using test::acts;
using test::all_scopes;
using test::scoped;

TEST_SUITE("access/scope_database")
{
    TEST_CASE_FIXTURE(scoped, "the service changes nothing without a token it was shown")
    {
        auto const good = create_token("good", all_scopes);
        check_refused("", "unauthenticated");
        check_refused(shown(good, "guess"), "unauthenticated");
        check_refused(shown("999", "good"), "unauthenticated");
        check_refused("set local gapless.token_id = " + good + "; ", "unauthenticated");
        check_refused(
            "set local gapless.token_id = " + good + "; set local gapless.token_hash = ''; ",
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
        run("select gapless.token_revoke(" + gone + ", 'anna')");
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
                execute(transaction, shown(other, "other") + sql);
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

    TEST_CASE_FIXTURE(scoped, "a token for some series is told of no other that has the numbers")
    {
        run("select gapless.series_create('o', 'carrier', null, null, null, null, null, null, 'a')"
        );
        auto const own = create_token("own", all_scopes, "'{o}'");
        auto const wide = create_token("wide", all_scopes);
        auto const preview = [&](std::string const& token, std::string const& secret) {
            return service(
                shown(token, secret) +
                "select hits from gapless.block_preview('o', '{100}', '{209}', '{null}', '{null}', "
                "'me')"
            );
        };
        CHECK(preview(own, "own") == "a block of another series, a block of another series");
        CHECK(
            preview(wide, "wide") ==
            "block 1 of series 's' (100…109), block 2 of series 's' (200…209)"
        );
    }

    TEST_CASE_FIXTURE(scoped, "a token with the scope acts, and the records name it")
    {
        auto const id = create_token("good", all_scopes);
        for (auto const& each : acts)
        {
            CAPTURE(each.sql);
            auto const outcome = service(shown(id, "good") + each.sql);
            CHECK(outcome.find("refused") == std::string::npos);
            CHECK(outcome.find("denied") == std::string::npos);
            auto const token = each.is_audited() ? "|" + id : "";
            CHECK(latest_record(each) == each.recorded + "|token:good" + token);
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
        for (std::string const id : {"1", "99"})
            CHECK(
                service(shown(own, "own") + "select gapless.token_revoke(" + id + ", 'liar')") ==
                "refused: not-found"
            );
        CHECK(records() == before);
        // Of its own series it takes away what it could not have given.
        auto const leaked = create_token("leaked", "{issue,load}", "'{s}'");
        CHECK(service(shown(own, "own") + "select gapless.token_revoke(" + leaked + ", 'liar')")
                  .empty());
    }

    TEST_CASE_FIXTURE(scoped, "a token takes no name whose tokens reach beyond its own")
    {
        auto const own = create_token("own", "{read,admin}", "'{s}'");
        create_token("wide", all_scopes);
        create_token("both", "{read}", "'{s,t}'");
        create_token("issuer", "{issue}", "'{s}'");
        create_token("peer", "{read}", "'{s}'");
        create_token("grown", "{read}", "'{s}'");
        run("select gapless.token_revoke(" + create_token("grown", "{read}") + ", 'anna')");
        auto const take = [&](std::string const& name, std::string const& series = "'{s}'") {
            return service(
                shown(own, "own") + "select gapless.token_create('" + name +
                "', sha256('x'), '{read}', " + series + ", null, 'liar') > 0"
            );
        };
        for (std::string const name : {"wide", "both", "issuer", "grown", "to be revoked"})
        {
            CAPTURE(name);
            CHECK(take(name) == "refused: forbidden");
        }
        for (std::string const name : {"own", "peer", "new", "new"})
            CHECK(take(name) == "t");
        // Its own name, whoever else has it.
        create_token("own", all_scopes);
        CHECK(take("own") == "t");
        CHECK(
            as("gapless_admin",
               "select gapless.token_create('wide', sha256('x'), '{read}', "
               "'{s}', null, 'anna') > 0") == "t"
        );
    }

    TEST_CASE_FIXTURE(scoped, "an answer is repeated to tokens that may do the act themselves")
    {
        struct kept_act
        {
            std::string sql;
            std::string narrow;  // what it comes to for a token of the same name, for t alone
            std::string reader;  // the same without the scope
        };
        kept_act const kept[] = {
            {"select from gapless.webhook_create('https://a.example/', null, null, null, 'x')",
             "refused: forbidden",
             "refused: forbidden"},
            {"select from gapless.webhook_create('https://b.example/', null, '{t}', null, 'x')",
             "201|null|{}",
             "refused: forbidden"},
            {"select from gapless.webhook_test(1, 'x')",
             "refused: not-found",
             "refused: forbidden"},
            {"select from gapless.webhook_retry(2, null, 'x')",
             "201|null|{}",
             "refused: forbidden"},
            {"select from gapless.token_create('y', sha256('y'), '{read}', '{s}', null, 'x')",
             "refused: forbidden",
             "refused: forbidden"},
            {"select from gapless.series_create('n', 'c', null, null, null, null, null, null, 'x')",
             "refused: forbidden",
             "refused: forbidden"},
            {"select from gapless.block_load('s', 900, 909, null, null, null, 'x')",
             "refused: unknown-series",
             "refused: forbidden"},
            {"select from gapless.format_declare('own', '{\"number\": \"{n}\"}', 'x')",
             "201|null|{}",
             "refused: forbidden"}};
        auto const wide = create_token("shop", all_scopes);
        auto const narrow = create_token("shop", all_scopes, "'{t}'");
        auto const reader = create_token("shop", "{read}");
        auto const owner = run("select owner_id from gapless.token where token_id = " + wide);
        auto const find = [&](std::string const& words, std::size_t key) {
            return service(
                words + "select * from gapless.answer_find(" + owner + ", 'k" +
                std::to_string(key) + "', sha256('x'))"
            );
        };
        for (std::size_t n = 0; n < std::size(kept); ++n)
        {
            CAPTURE(kept[n].sql);
            CHECK(service(
                      shown(wide, "shop") + kept[n].sql + "; select from gapless.answer_keep(" +
                      owner + ", 'k" + std::to_string(n) + "', sha256('x'), 201, null, '{}')"
            )
                      .empty());
            CHECK(find(shown(wide, "shop"), n) == "201|null|{}");
            CHECK(find(shown(narrow, "shop"), n) == kept[n].narrow);
            CHECK(find(shown(reader, "shop"), n) == kept[n].reader);
            CHECK(find("", n) == "refused: unauthenticated");
        }
        run("select gapless.token_revoke(" + wide + ", 'anna')");
        CHECK(find(shown(wide, "shop"), 0) == "refused: unauthenticated");
    }

    TEST_CASE_FIXTURE(scoped, "an administrator acts in his own right, but for no token he invents")
    {
        create_token("good", all_scopes);
        auto const load = "select gapless.block_load('s', 900, 909, null, null, null, 'anna')";
        CHECK(as("gapless_admin", shown("2", "guess") + load) == "refused: unauthenticated");
        CHECK(as("gapless_admin", load) != "refused: unauthenticated");
        CHECK(latest_record(acts[2]) == "block.load|sql:anna|null");
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

    TEST_CASE_FIXTURE(scoped, "the service reads what a proposal needs a look at without a token")
    {
        CHECK(service("select count(*) from gapless.proposal_warnings(1)") == "0");
    }

    TEST_CASE_FIXTURE(scoped, "the service ends expired blocks without a token")
    {
        std::string const end_latest{
            "update gapless.block set valid_until = now() - interval '1 second' where block_id = "
            "(select max(block_id) from gapless.block)"};
        run("select gapless.series_create('e', 'e', null, null, null, null, null, null, 'anna')");
        run("select gapless.block_load('e', 1, 9, null, null, null, 'anna')");
        run(end_latest);
        run("select gapless.block_load('e', 11, 19, null, null, null, 'anna')");
        auto const numbers = service("select number from gapless.issue('e')");
        CHECK(numbers == "11");
        run("select gapless.series_create('f', 'f', null, null, null, null, null, null, 'anna')");
        run("select gapless.block_load('f', 1, 9, null, null, null, 'anna')");
        run(end_latest);
        CHECK(service("select blocks from gapless.sweep()") == "1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(scoped, "nothing tells the service the hash of a secret")
    {
        CHECK(
            run("select string_agg(p.proname, ' ' order by p.proname) from pg_proc p where "
                "p.pronamespace = 'gapless'::regnamespace and "
                "has_function_privilege('gapless_service', p.oid, 'execute') and "
                "p.prosrc like '%secret_hash%' and p.proname <> 'token_create'"
            ) == "lease_claim lease_tokens token_identify"
        );
        auto const good = create_token("good", all_scopes);
        auto const hash = run("select encode(sha256('good'), 'hex')");
        CHECK(service("select gapless.token_identify(" + good + ", sha256('guess'))") == "");
        auto const row = service("select gapless.token_identify(" + good + ", sha256('good'))");
        CHECK(row.find("good") != std::string::npos);
        CHECK(row.find(hash) == std::string::npos);
        // What a reserve compares secrets with is the hash of the hash.
        std::string const instance{"'0b7e7a52-2a8c-4a0e-9a51-5a7f1d4c7f90', sha256('s')"};
        service("select gapless.lease_claim(" + instance + ", 0, gen_random_uuid(), 'packing-1')");
        auto const leased = service(
            "select encode(secret_check, 'hex') from gapless.lease_tokens(" + instance + ")"
        );
        CHECK(
            leased.find(run("select encode(sha256(sha256('good')), 'hex')")) != std::string::npos
        );
        CHECK(leased.find(hash) == std::string::npos);
        CHECK(service("select * from gapless.token_report()") == "denied");
    }
}
