#include "harness/issuing.hpp"
#include "issuing/pipeline_connection.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

#include <memory>

namespace epoch_test {

using namespace gapless;
using test::issuing;

/// A database that has issued, and a copy of it on the same server.
struct copied : issuing
{
    copied()
    {
        create_series("s", {{100, 199}}, "c");
        issue("s", {"a"});
    }

    ~copied()
    {
        pqxx::connection server{test::server_url()};
        pqxx::nontransaction plain{server};
        execute(plain, "drop database if exists " + copy + " with (force)");
    }

    void make_copy()
    {
        run("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + name() +
            "' and pid <> pg_backend_pid()");
        pqxx::connection server{test::server_url()};
        pqxx::nontransaction plain{server};
        end_connection();
        execute(plain, "create database " + copy + " template " + name());
    }

    /// What a statement comes to in that database.
    static std::string in(std::string const& database, std::string const& sql)
    {
        pqxx::connection own{test::connection_string(test::server_url(), {{"dbname", database}})};
        return test::run(own, sql);
    }

    std::string const copy{name() + "_copy"};
};

TEST_SUITE("epochs/epoch_database")
{
    TEST_CASE_FIXTURE(copied, "a copy on the same server issues nothing, the original goes on")
    {
        make_copy();

        CHECK(in(copy, "select number from gapless.issue('s')") == "refused: fenced");
        CHECK(in(copy, "select fenced from gapless.health()") == "t");
        CHECK(
            in(copy,
               "select trouble like '%a copy or a restored dump', movable from "
               "gapless.epoch_state()") == "t|f"
        );
        CHECK(in(name(), "select number from gapless.issue('s')") == "101");
    }

    TEST_CASE_FIXTURE(copied, "a copy under the original's name is a copy, the renamed one is not")
    {
        make_copy();
        auto const original = name() + "_original";
        in("postgres", "alter database " + name() + " rename to " + original);
        in("postgres", "alter database " + copy + " rename to " + name());

        CHECK(in(name(), "select number from gapless.issue('s')") == "refused: fenced");
        CHECK(in(original, "select number from gapless.issue('s')") == "101");

        in("postgres", "alter database " + name() + " rename to " + copy);
        in("postgres", "alter database " + original + " rename to " + name());
    }

    TEST_CASE_FIXTURE(copied, "a copy that was given an epoch of its own issues")
    {
        make_copy();
        in(copy, "select gapless.epoch_begin(2, 'a life of its own', 'test')");

        CHECK(in(copy, "select number from gapless.issue('s')") == "101");
        CHECK(in(copy, "select count(*) from gapless.verify()") == "0");
    }

    TEST_CASE_FIXTURE(issuing, "an epoch is for its tables, with their guards at work")
    {
        create_series("s", {{100, 199}});
        auto const refuses = [&](std::string const& after) {
            auto const trouble =
                run("set local session_replication_role = replica;" + after +
                    "; select trouble is not null and not movable from gapless.epoch_state()");
            return trouble + ", " + run("select number from gapless.issue('s')");
        };
        auto const without_guards = [](std::string const& table, std::string const& statement) {
            return "alter table gapless." + table + " disable trigger all;" + statement +
                   "; alter table gapless." + table + " enable trigger all";
        };
        struct change
        {
            std::string what;
            std::string back;
        };
        std::string const noted =
            "update gapless.epoch set ledger_oid = 'gapless.ledger'::regclass, "
            "counter_oid = 'gapless.counter'::regclass";
        for (auto const& [what, back] : std::vector<change>{
                 {without_guards("epoch", "update gapless.epoch set ledger_oid = 1"),
                  without_guards("epoch", noted)},
                 {without_guards("epoch", "update gapless.epoch set counter_oid = 1"),
                  without_guards("epoch", noted)},
                 {"create table public.kept as select * from gapless.epoch; delete from "
                  "gapless.epoch",
                  "insert into gapless.epoch select * from public.kept; drop table public.kept"},
                 {"alter table gapless.ledger disable trigger range_continues_the_ledger",
                  "alter table gapless.ledger enable trigger range_continues_the_ledger"},
                 {"alter table gapless.counter disable trigger counter_opens_block",
                  "alter table gapless.counter enable trigger counter_opens_block"},
                 {"alter table gapless.ledger drop constraint key_is_spent_once",
                  "alter table gapless.ledger add constraint key_is_spent_once unique (key, "
                  "owner_id)"}})
        {
            CAPTURE(what);
            CHECK(refuses(what) == "t, refused: fenced");
            CHECK(run("set local session_replication_role = replica;" + back).empty());
            CHECK(
                run("select number from gapless.issue('s')").find("refused") == std::string::npos
            );
        }
        CHECK(run("select gapless.epoch_begin(2, 'r', 'me')").empty());
        CHECK(run("select trouble from gapless.epoch_state()") == "null");
    }

    TEST_CASE_FIXTURE(issuing, "what was issued again after a restore is voided, nothing else")
    {
        create_series("s", {{100, 199}});
        CHECK(run("select gapless.owner_id('token:shop')") == "1");  // whom issue() issues to
        // Journals know 9 numbers and two turns; the database was put back to 2, and issued 3 to 7.
        issue("s", {"before", 2});
        auto const moment = run("select clock_timestamp()");
        issue("s", {"again", 5});
        issue("s", {.key = "held", .count = 1, .hold_seconds = 60});
        auto const note = [&](std::string const& kind, std::string const& numbers) {
            CHECK(
                run("select gapless.note_event(1, '" + kind + "', '{" + numbers +
                    "}', 'me', null, false)") != "0"
            );
        };
        note("printed", "[4,7)");
        note("manifested", "[5,7)");
        note("returned", "[6,7)");
        run("select gapless.fence_raise('r', 'me'); select gapless.epoch_fill(1, 9, false, 'r', "
            "'me')");
        auto const void_again = [&](std::string const& ordinal, std::string const& at) {
            return run(
                "select gapless.epoch_void_again(1, " + ordinal + ", '" + at + "', 0, '" + at +
                "', 'r', 'me')"
            );
        };
        CHECK(void_again("2", moment) == "0");      // the journal knows no more than is here
        CHECK(void_again("9", "infinity") == "0");  // it knows later moments
        CHECK(void_again("9", moment) == "5");  // not what was filled in; holds go by themselves
        CHECK(void_again("9", moment) == "0");
        CHECK(run("select numbers from gapless.number_state where state = 'voided'") == "{[3,8)}");
        CHECK(
            run("select subject from gapless.audit_log where action = 'epoch.void_again'") == "s s"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "one administrator opens no epoch, whatever the proof")
    {
        create_series("s", {{100, 199}}, "c");
        for (std::string const proof :
             {R"({"journals":["made up"]})", R"({"journals":[]})", R"({"skip":100})", "{}"})
        {
            CAPTURE(proof);
            CHECK(
                run("select gapless.epoch_open(2, 'r', '" + proof + "', 'me')") ==
                "refused: state-conflict"
            );
            CHECK(run("select gapless.epoch_propose(2, 'r', '" + proof + "', 'me')") == "null");
            CHECK(
                run("select gapless.epoch_open(2, 'r', '" + proof + "', 'me')") ==
                "refused: state-conflict"
            );
        }
        CHECK(run("select max(epoch) from gapless.epoch") == "1");
    }

    TEST_CASE_FIXTURE(issuing, "a proposal counts for a day and for the same epoch and proof only")
    {
        auto const proposed = [&](std::string const& ago, std::string const& epoch = "2") {
            pqxx::work transaction{connection()};  // taken back at its end
            execute(
                transaction,
                "insert into gapless.audit_log (at, actor, action, subject, after) values (now() - "
                "interval '" +
                    ago + "', 'anna', 'epoch.propose', '" + epoch +
                    R"(', '{"role": "anna", "proof": {"skip": 1}}'))"
            );
            try
            {
                execute(transaction, R"(select gapless.epoch_open(2, 'r', '{"skip": 1}', 'me'))");
                return std::string{"opened"};
            }
            catch (pqxx::sql_error const& error)
            {
                return test::text(error);
            }
        };
        CHECK(proposed("1 second") == "opened");
        CHECK(proposed("23 hours 59 minutes") == "opened");
        CHECK(proposed("24 hours 1 second") == "refused: state-conflict");
        CHECK(proposed("30 days") == "refused: state-conflict");
        CHECK(proposed("1 second", "3") == "refused: state-conflict");
        CHECK(run("select max(epoch) from gapless.epoch") == "1");
    }

    TEST_CASE_FIXTURE(issuing, "numbers are filled in only while the database is fenced")
    {
        create_series("s", {{100, 199}}, "c");
        issue("s", {"a"});
        auto const fill = [&](std::string const& quarantine) {
            return run("select gapless.epoch_fill(1, 5, " + quarantine + ", 'r', 'me')");
        };
        CHECK(fill("false") == "refused: state-conflict");
        CHECK(fill("true") == "refused: state-conflict");
        CHECK(run("select next_ordinal from gapless.counter") == "2");
        CHECK(run("select count(*) from gapless.audit_log where action like 'epoch.%'") == "0");

        run("select gapless.fence_raise('r', 'me')");
        CHECK(fill("false") == "4");
        CHECK(run("select next_ordinal from gapless.counter") == "6");
        CHECK(fill("false") == "0");  // nothing more is missing
        CHECK(
            run("select action from gapless.audit_page(null, null, null, null, null, 9, 'epoch', "
                "'s')") == "epoch.recover"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "what ended or moved since the backup lets no number leave twice")
    {
        for (std::string const series : {"closed", "moved", "order", "lost", "known", "at-once"})
            create_series(series, {{100, 109}, {200, 209}, {300, 309}}, series);
        for (std::string const series : {"closed", "moved", "order", "lost", "known", "at-once"})
            issue(series, {series, 5});
        auto const close = [&](std::string const& series) {
            run("select gapless.block_close(block_id, 'r', 'me') from gapless.block where state = "
                "'open' and series_id = " +
                id_of(series));
        };
        create_series("earlier", {{10, 19}, {100, 109}, {200, 299}, {400, 402}}, "earlier");
        issue("earlier", {"x", 1});
        close("earlier");
        issue("earlier", {"earlier", 5});
        run("select gapless.fence_raise('r', 'me')");
        auto const fill = [&](std::string const& series, int last, std::string const& next) {
            return run(
                "select gapless.epoch_fill(" + id_of(series) + ", " + std::to_string(last) +
                ", false, 'r', 'me', " + next + ")"
            );
        };
        auto const recorded = [&](std::string const& series) {
            return run(
                "select serial, count from gapless.ledger where ordinal > 5 and series_id = " +
                id_of(series) + " order by ordinal"
            );
        };
        CHECK(fill("closed", 12, "204") == "7");
        CHECK(recorded("closed") == "105|3 200|4");
        CHECK(
            run("select closed_serial, closed_reason from gapless.block where series_id = 1 and "
                "first_serial = 100") == "108|r"
        );
        CHECK(fill("closed", 12, "204") == "0");

        CHECK(fill("moved", 12, "304") == "refused: state-conflict");
        CHECK(recorded("moved").empty());
        run("select gapless.block_move(6, 5, 'me')");
        CHECK(fill("moved", 12, "304") == "7");
        CHECK(recorded("moved") == "105|3 300|4");

        // The last number would be recorded, but others of 300…309 would leave again.
        CHECK(fill("order", 25, "205") == "refused: state-conflict");
        run("select gapless.block_move(9, 8, 'me')");
        CHECK(fill("order", 25, "205") == "20");
        CHECK(recorded("order") == "105|5 300|10 200|5");

        // What was closed before the backup explains nothing: 400…402 left before 200.
        CHECK(fill("earlier", 16, "202") == "refused: state-conflict");

        CHECK(fill("lost", 12, "404") == "refused: state-conflict");
        CHECK(fill("lost", 12, "null") == "7");
        CHECK(fill("known", 12, "202") == "7");
        CHECK(recorded("known") == "105|5 200|2");
        // Nothing left between the backup and the end of the block.
        CHECK(fill("at-once", 9, "204") == "4");
        CHECK(recorded("at-once") == "200|4");
        // What was closed here had left before: that many more of the next one are recorded.
        close("known");
        CHECK(fill("known", 17, "302") == "5");
        CHECK(recorded("known") == "105|5 200|2 300|5");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(issuing, "a series that is created beside a fence that is raised is fenced")
    {
        create_series("s", {{100, 199}}, "c");
        CHECK(run("select gapless.fence_raise('r', 'me')").empty());
        create_series("t", {{300, 399}}, "c");
        CHECK(run("select bool_and(fenced) from gapless.counter") == "t");
        for (auto const* reason : {"r", "another", "r"})
            run(std::string{"select gapless.fence_raise('"} + reason + "', 'me')");
        CHECK(run("select reason from gapless.fence order by fence_id") == "r another");
    }

    TEST_CASE_FIXTURE(issuing, "a series that somebody holds keeps no other from being fenced")
    {
        create_series("s", {{100, 199}}, "c");
        create_series("t", {{300, 399}}, "c");
        auto const raises = [&] {
            std::unique_ptr<PGconn, decltype(&PQfinish)> const instance{
                PQconnectdb(url().c_str()), &PQfinish};
            PQclear(PQexec(
                instance.get(),
                "set default_transaction_isolation = serializable; set lock_timeout = '200ms'"
            ));
            return !raise_fence(instance.get(), "a journal says so").has_value();
        };
        auto const fenced =
            "select string_agg(name, ' ' order by name) from gapless.series join gapless.counter "
            "using (series_id) where fenced";
        pqxx::connection other{url()};
        {
            pqxx::work holder{other};
            execute(holder, "select gapless.issue('s')");
            CHECK_FALSE(raises());
            CHECK(run(fenced) == "t");
            CHECK(run("select gapless.issue('s')") == "refused: fenced");
            holder.commit();
        }
        CHECK(raises());
        CHECK(run(fenced) == "s t");
        CHECK(raises());
        CHECK(run("select count(*) from gapless.fence") == "1");
    }

    TEST_CASE_FIXTURE(issuing, "opening an epoch voids what was held and what had come back")
    {
        create_series("s", {{100, 199}});
        issue("s", {.key = "released", .count = 3, .hold_seconds = 60});
        issue("s", {.key = "held", .count = 2, .hold_seconds = 60});
        for (std::string const key : {"x", "y", "z"})
            issue("s", {.key = key, .count = 1, .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 1, null, false, 'me')");
        auto const role = "anna_" + name();
        run("create role " + role + " login password 'x' in role gapless_admin");
        auto const words = std::string{"(2, 'put back', '{\"skip\":1}', 'me')"};
        {
            pqxx::connection anna{url_as(role, "x")};
            CHECK(test::run(anna, "select gapless.epoch_propose" + words) == "null");
        }
        // All holds at once: three times for what was held, twice for what was free.
        CHECK(work_of("select gapless.epoch_open" + words + ';', "tally", "n_tup_upd") == 5);
        CHECK(
            run("select held, free, voided, waiting from gapless.tally natural join "
                "gapless.counter") == "0|0|8|0"
        );
        CHECK(run("select count(*) from gapless.hold where isempty(held)") == "5");
        CHECK(issue("s", {"a"}) == "108-108");
        CHECK(verify() == "gapless");
        run("drop owned by " + role + "; drop role " + role);
    }
}

}  // namespace epoch_test
