#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace guards_test {

using namespace gapless;
using test::issuing;

/// A series whose block is open, and what others may attach to the tables.
struct neighbour : issuing
{
    neighbour()
    {
        create_series("s", {{100, 199}, {300, 399}}, "c");
        issue("s", {"opens the block"});
        run("create function public.swallow() returns trigger language plpgsql as $$ begin return "
            "null; end $$");
        run("create function public.look() returns trigger language plpgsql as $$ begin return "
            "new; end $$");
    }

    std::string swallow(std::string const& table)
    {
        return run(
            "create trigger archive before insert on gapless." + table +
            " for each row execute function public.swallow()"
        );
    }

    std::string health(std::string const& check)
    {
        return run(
            "select case when fine then 'ok' else severity || ' ' || value end from "
            "gapless.health_checks(null) where name = '" +
            check + "'"
        );
    }

    /// True when the statement is refused because its rows did not arrive.
    bool refuses(std::string const& sql) { return run(sql) == "refused: database-unavailable"; }
};

std::string const fresh_key = "array[gen_random_uuid()]";

TEST_SUITE("ledger/guards_database")
{
    TEST_CASE_FIXTURE(neighbour, "no setting of a session changes what is found")
    {
        for (std::string const setting :
             {"quote_all_identifiers = on",
              "datestyle = 'German'",
              "intervalstyle = 'sql_standard'",
              "timezone = 'Asia/Tokyo'",
              "extra_float_digits = -15",
              "bytea_output = 'escape'",
              "standard_conforming_strings = off",
              "search_path = gapless"})
            CHECK_MESSAGE(
                run("set local " + setting +
                    "; select (select count(*) from gapless.schema_differences()), "
                    "(select count(*) from gapless.verify(null))") == "0|0",
                setting
            );
    }

    TEST_CASE_FIXTURE(neighbour, "a number whose ledger row was swallowed is not issued")
    {
        CHECK(swallow("ledger").empty());

        CHECK(issue_plain("s", {{"a"}}) == "refused: database-unavailable");
        CHECK(issue_plain("s", {{"b", 3}, {"c"}}) == "refused: database-unavailable");
        CHECK(issue("s", {"d"}) == "refused: database-unavailable");
        CHECK(issue("s", {"e", 150}) == "refused: database-unavailable");
        CHECK(call_issue("s", 1, "f") == "refused: database-unavailable");
        auto const mixed = "set transaction isolation level serializable; select * from "
                           "gapless.issue_plain_many('{1}', '{1}', '{1}', '{0}', '{1}', '{1}', " +
                           fresh_key + ", '{null}', true)";
        CHECK(refuses(mixed));
        CHECK(run("select gapless.fence_raise('r', 'me')").empty());
        CHECK(refuses("select gapless.epoch_fill(1, 50, false, 'r', 'me')"));
        CHECK(
            run("select count(*), max(next_ordinal) from gapless.ledger, gapless.counter") == "1|2"
        );
    }

    TEST_CASE_FIXTURE(neighbour, "nothing goes on where another record was swallowed")
    {
        issue("s", {.key = "held", .count = 2, .hold_seconds = 600});
        auto const hold = std::string{"set transaction isolation level serializable; select * from "
                                      "gapless.issue_plain(1, '{0}', '{1}', '{1}', "} +
                          fresh_key + ", null, true, '{60}')";
        auto const across = "select * from gapless.issue('s', 150)";
        std::pair<char const*, std::string> const acts[] = {
            {"hold", hold},
            {"number_state", hold},
            {"issuance", across},
            {"sql_issue", "select * from gapless.issue('s')"},
            {"number_event",
             "select gapless.note_event(1, 'printed', '{[1,2)}', 'me', null, false)"},
            {"manifest", "select gapless.manifest_close('s', '2026-01-01', 'me')"},
            {"seal", "select gapless.seal(1)"},
            {"audit_log", "select gapless.block_load('s', 900, 909, null, null, null, 'me')"},
            {"block", "select gapless.block_load('s', 900, 909, null, null, null, 'me')"},
            {"block",
             "select gapless.block_load_many('s', '{900}', '{909}', '{null}', '{null}', 'me')"},
            {"counter",
             "select gapless.series_create('t', 'c', null, null, null, null, null, null, 'me')"},
            {"tally",
             "select gapless.series_create('t', 'c', null, null, null, null, null, null, 'me')"},
            {"fence", "select gapless.fence_raise('r', 'me')"},
            {"epoch", "select gapless.epoch_begin(2, 'r', 'me')"},
        };
        for (auto const& [table, act] : acts)
        {
            CAPTURE(table);
            CAPTURE(act);
            CHECK(swallow(table).empty());
            CHECK(refuses(act));
            CHECK(run("drop trigger archive on gapless." + std::string{table}).empty());
        }
        CHECK(verify() == "gapless");
        CHECK(run("select count(*) from gapless.ledger") == "2");
    }

    TEST_CASE_FIXTURE(neighbour, "what can change what is inserted is a finding and a risk")
    {
        std::pair<char const*, char const*> const attached[] = {
            {"create trigger t before insert on gapless.hold for each row execute function "
             "public.look()",
             "the trigger t on gapless.hold"},
            {"create trigger t before update on gapless.counter for each row execute function "
             "public.look()",
             "the trigger t on gapless.counter"},
            {"create rule r as on insert to gapless.ledger do instead nothing",
             "the rule r on gapless.ledger"},
            {"create policy p on gapless.ledger using (true)", "the policy p on gapless.ledger"},
            {"alter table gapless.block enable row level security",
             "row level security on gapless.block"},
            {"create table public.kid () inherits (gapless.ledger)",
             "the child table public.kid on gapless.ledger"},
        };
        for (auto const& [sql, what] : attached)
        {
            CAPTURE(sql);
            pqxx::work transaction{connection()};
            execute(transaction, sql);
            auto const found =
                test::text(query_rows(transaction, "select what from gapless.verify()"));
            CHECK(
                found == std::string{what} + " is not of gapless: it can change what is inserted"
            );
            CHECK(
                test::text(query_rows(
                    transaction,
                    "select severity, value from gapless.health_checks(null)"
                    " where not fine and name = 'foreign_objects'"
                )) == std::string{"risk|"} + what
            );
        }
        CHECK(verify() == "gapless");
        CHECK(health("foreign_objects") == "ok");
    }

    TEST_CASE_FIXTURE(neighbour, "what only looks, and further indexes, are a warning")
    {
        run("create trigger t after insert on gapless.ledger for each row execute function "
            "public.look()");
        run("create index more on gapless.ledger (serial)");

        CHECK(
            health("foreign_triggers") ==
            "warning the index more on gapless.ledger, the trigger t on gapless.ledger"
        );
        CHECK(health("foreign_objects") == "ok");
        CHECK(verify() == "gapless");
        CHECK(issue_plain("s", {{"a"}}) == "101-101");
    }

    TEST_CASE_FIXTURE(neighbour, "a guard that was exchanged for another of its name is found")
    {
        std::pair<char const*, char const*> const exchanges[] = {
            {"create or replace function gapless.append_only() returns trigger language plpgsql as "
             "'begin return null; end'",
             "the function gapless.append_only() was exchanged"},
            {"alter function gapless.ledger_continues() reset search_path",
             "the function gapless.ledger_continues() was exchanged"},
            {"alter table gapless.ledger drop constraint key_is_spent_once, add constraint "
             "key_is_spent_once unique (key, owner_id, serial)",
             "the constraint key_is_spent_once of gapless.ledger was exchanged: it is UNIQUE (key, "
             "owner_id, serial), it has to be UNIQUE (key, owner_id)"},
            {"alter table gapless.ledger drop constraint key_is_spent_once; create unique index "
             "key_is_spent_once on gapless.ledger (key, owner_id)",
             "the constraint key_is_spent_once of gapless.ledger is gone or switched off"},
            {"drop index gapless.one_block_is_open; create unique index one_block_is_open on "
             "gapless.block (series_id, block_id) where state = 'open'",
             "the index one_block_is_open of gapless.block was exchanged"},
            {"create or replace trigger ledger_is_append_only before truncate on gapless.ledger "
             "for "
             "each statement execute function gapless.append_only()",
             "the trigger ledger_is_append_only of gapless.ledger was exchanged"},
            {"alter table gapless.tally drop constraint tallies_are_not_negative, add constraint "
             "tallies_are_not_negative check (true)",
             "the constraint tallies_are_not_negative of gapless.tally was exchanged"},
            {"alter table gapless.ledger disable trigger range_continues_the_ledger",
             "the trigger range_continues_the_ledger of gapless.ledger is gone or switched off"},
            {"drop function gapless.verify_turns", "the function gapless.verify_turns"},
            {"set local session_replication_role = replica; delete from gapless.guard",
             "nothing is noted of the guards"},
        };
        for (auto const& [sql, what] : exchanges)
        {
            CAPTURE(sql);
            pqxx::work transaction{connection()};
            execute(transaction, sql);
            auto const found = test::text(query_rows(
                transaction,
                "select f ->> 'what' from jsonb_array_elements("
                "gapless.verify_guards()) f"
            ));
            CHECK_MESSAGE(found.find(what) != std::string::npos, found);
        }
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(neighbour, "a migration does not make an exchanged constraint right")
    {
        run("alter table gapless.ledger drop constraint key_is_spent_once, add constraint "
            "key_is_spent_once unique (key, owner_id, serial)");
        run("select gapless.guards_note()");
        CHECK(
            verify().find("key_is_spent_once of gapless.ledger was exchanged") != std::string::npos
        );
    }

    TEST_CASE_FIXTURE(
        neighbour, "a COMMIT that does not wait for the disk is refused after issuing"
    )
    {
        auto const lowered = [&](std::string const& setting) {
            return run(
                "select number from gapless.issue('s'); set local synchronous_commit = " + setting
            );
        };
        CHECK(lowered("off") == "refused: database-unavailable");
        CHECK(lowered("local") == "refused: database-unavailable");
        CHECK(lowered("remote_write") == "refused: database-unavailable");
        CHECK(run("select count(*) from gapless.ledger") == "1");
        CHECK(lowered("remote_apply").empty());
        CHECK(run("set local synchronous_commit = off; select 1") == "1");
        // Taken back, there is nothing to lose.
        CHECK(
            run("savepoint a; select number from gapless.issue('s'); rollback to a; set local "
                "synchronous_commit = off; select 1") == "1"
        );
        CHECK(run("select count(*) from gapless.sql_issue") == "0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(test::database, "a lost primary key is made of an index beside writers")
    {
        CHECK(run("alter table gapless.ledger drop constraint range_starts_once").empty());
        CHECK(
            run("select array_to_string(mend, E'\\n') from gapless.schema_differences() where what "
                "like '%range_starts_once%'") ==
            "drop index concurrently if exists gapless.range_starts_once\n"
            "create unique index concurrently range_starts_once on gapless.ledger (series_id, "
            "turn, ordinal)\n"
            "alter table gapless.ledger add constraint range_starts_once PRIMARY KEY using index "
            "range_starts_once"
        );
    }
}

}  // namespace guards_test
