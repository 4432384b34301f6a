#pragma once

#include "harness/people.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace gapless::test {

/// What needs a scope, as SQL.
struct act
{
    std::string sql;  // 'liar' is whom the caller names as the actor
    std::string scope;
    std::string recorded;   // the action in the audit log, or the kind in the history of numbers
    std::string elsewhere;  // refusal for a token of another series; empty: it may, too

    bool is_audited() const { return recorded.find('.') != std::string::npos; }
};

// In an order in which each can be done after the ones before. Block 3 is the last one queued, the
// numbers of ordinals 1 and 2 are issued, that of ordinal 3 is held; token 1 is there to be
// revoked.
inline act const acts[] = {
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
    {"select gapless.token_revoke(1, 'liar')", "admin", "token.revoke", "not-found"},
    {"select gapless.manifest_close('s', '2026-01-01', 'liar')",
     "issue",
     "manifest.close",
     "unknown-series"},
    {"select gapless.note_event(1, 'printed', '{[1,3)}', 'liar', null, false)",
     "issue",
     "printed",
     "unknown-series"},
    {"select gapless.hold_settle(1, 0, 3, null, true, 'liar')",
     "issue",
     "confirmed",
     "unknown-series"},
};

inline std::string const all_scopes = "{issue,read,load,admin}";

/// Series s and t, and a session of the service, which may call every one of the acts.
struct scoped : people
{
    scoped()
    {
        create_series("t", {{5'000, 5'009}}, "elsewhere");
        issue("s", {.key = "hold", .count = 1, .hold_seconds = 3'600});
        create_token("to be revoked", all_scopes);
    }

    /// Returns the id. The secret is the name.
    std::string create_token(
        std::string const& name,
        std::string const& scopes,
        std::string const& series = "null",
        std::string const& expires = "null"
    )
    {
        return run(
            "select gapless.token_create('" + name + "', sha256('" + name + "'), '" + scopes +
            "', " + series + ", " + expires + ", 'anna')"
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
        CHECK(
            service(
                words + "select * from gapless.block_preview('s', '{900}', '{909}', '{null}', "
                        "'{null}', 'liar')"
            ) == "refused: " + refusal
        );
        CHECK(records() == before);
    }

    /// The latest row of the audit log (action, actor, token) or of the history of numbers (kind,
    /// actor), where an act of that kind is recorded.
    std::string latest_record(act const& done)
    {
        if (!done.is_audited())
            return run("select kind, actor from gapless.number_event order by at desc limit 1");
        return run("select action, actor, token_id from gapless.audit_log order by audit_id desc "
                   "limit 1");
    }
};

}  // namespace gapless::test
