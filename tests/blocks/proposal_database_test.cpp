#include "blocks/proposal.hpp"
#include "blocks/proposal_operations.hpp"
#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>
#include <pqxx/transaction>

#include <algorithm>
#include <string>

namespace proposal_test {

using namespace gapless;
using test::issuing;

/// A carrier whose blocks are loaded by two people, of whom there are anna and ben.
struct four_eyes : issuing
{
    four_eyes()
    {
        create_series("s", {{100, 199}});
        run("select gapless.carrier_change('carrier', 14, true, 'dba')");
        for (std::string const who : {"anna", "ben"})
            run("create role " + role(who) + " login password 'test' in role gapless_admin");
    }

    ~four_eyes()
    {
        for (std::string const who : {"anna", "ben"})
            run("drop role " + role(who));
    }

    std::string role(std::string const& who) { return who + "_" + name(); }

    /// What a statement comes to for somebody with a role of his own.
    std::string as(std::string const& who, std::string const& sql)
    {
        pqxx::connection own{url_as(role(who), "test")};
        return test::run(own, sql);
    }

    /// A number of the table's rows, by an owner who goes around the guards.
    std::string tamper(std::string const& sql)
    {
        return run("set local session_replication_role = replica; " + sql);
    }

    std::string propose(std::string const& firsts, std::string const& lasts)
    {
        return as(
            "anna",
            "select gapless.proposal_make('s', '{" + firsts + "}', '{" + lasts +
                "}', array_fill(null::bigint, array[cardinality('{" + firsts +
                "}'::text[])]), array_fill(null::text, array[cardinality('{" + firsts +
                "}'::text[])]), array_fill(null::timestamptz, array[cardinality('{" + firsts +
                "}'::text[])]), 'anna')"
        );
    }

    std::string confirm(int id, std::string const& actor)
    {
        return as(
            actor,
            "select place, block_id, hits from gapless.proposal_confirm(" + std::to_string(id) +
                ", '" + actor + "')"
        );
    }

    std::string reject(int id)
    {
        return as("ben", "select gapless.proposal_reject(" + std::to_string(id) + ", 'ben')");
    }

    std::string states()
    {
        return run("select distinct proposal_id, state from gapless.proposal_report() order by 1");
    }

    std::string in_state(std::string const& state)
    {
        return run(
            "select distinct proposal_id from gapless.proposal_report(p_state => '" + state + "')"
        );
    }

    std::string blocks() { return run("select first, loaded_by from gapless.block_report('s')"); }
};

TEST_SUITE("blocks/proposal_database")
{
    TEST_CASE_FIXTURE(four_eyes, "what one proposed another one loads, and nobody alone")
    {
        CHECK(
            run("select gapless.block_load('s', 200, 299, null, null, null, 'anna')") ==
            "refused: forbidden"
        );
        CHECK(
            run("select * from gapless.block_load_many('s', '{200}', '{299}', '{null}', '{null}', "
                "'anna')") == "refused: forbidden"
        );
        CHECK(propose("200,300", "299,399") == "1");
        CHECK(blocks() == "100|test");
        CHECK(confirm(1, "anna") == "refused: forbidden");
        CHECK(states() == "1|proposed");
        CHECK(in_state("proposed") == "1");
        CHECK(confirm(1, "ben") == "1|2|null 2|3|null");
        CHECK(in_state("proposed").empty());
        CHECK(in_state("confirmed") == "1");
        CHECK(blocks() == "100|test 200|ben 300|ben");
        CHECK(confirm(1, "ben") == "refused: state-conflict");
        CHECK(reject(1) == "refused: state-conflict");
        CHECK(
            run("select actor, action from gapless.audit_log where action like 'proposal.%'") ==
            "sql:anna|proposal.make sql:ben|proposal.confirm"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        four_eyes, "the number space is loaded by two people, under any carrier's name"
    )
    {
        auto const load = [this](std::string const& series) {
            return run(
                "select gapless.block_load('" + series + "', 200, 299, null, null, null, 'anna')"
            );
        };
        run("select gapless.series_create('x', 'x', 'carrier', null, null, null, null, null, 'a')");
        run("select gapless.series_create('y', 'y', null, null, null, null, null, null, 'a')");
        CHECK(load("x") == "refused: forbidden");
        CHECK(load("y") == "2");
    }

    TEST_CASE_FIXTURE(four_eyes, "two people are two roles, whatever they call themselves")
    {
        propose("200", "299");
        CHECK(run("select proposed_by from gapless.proposal_report()") == "role:" + role("anna"));
        CHECK(
            as("anna", "select * from gapless.proposal_confirm(1, 'ben')") == "refused: forbidden"
        );
        CHECK(as("ben", "select * from gapless.proposal_confirm(1, 'anna')") == "1|2|null");
        CHECK(run("select settled_by from gapless.proposal_report()") == "role:" + role("ben"));
    }

    TEST_CASE_FIXTURE(four_eyes, "a proposal stays as it was made, and is settled once")
    {
        propose("200", "299");
        for (std::string const change :
             {"firsts = '{300}'",
              "expires_at = expires_at + interval '1 day'",
              "proposed_by = 'x'"})
        {
            CAPTURE(change);
            CHECK(run("update gapless.proposal set " + change).starts_with("23514"));
        }
        CHECK(run("delete from gapless.proposal").starts_with("42501"));
        CHECK(confirm(1, "ben") == "1|2|null");
        CHECK(run("update gapless.proposal set state = 'proposed', settled_by = null, "
                  "settled_at = null")
                  .starts_with("23514"));
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(four_eyes, "a proposal that was confirmed twice is found")
    {
        propose("200", "299");
        confirm(1, "ben");
        run("select gapless.block_withdraw(2, 'typo', 'dba')");
        CHECK(verify() == "gapless");
        tamper("update gapless.proposal set state = 'proposed', settled_by = null, "
               "settled_at = null");
        CHECK(
            verify() == "s proposal 1: proposal 1 counts as proposed; by the audit log it was made "
                        "1 times, confirmed 1 and rejected 0"
        );
        CHECK(confirm(1, "ben") == "1|3|null");
        CHECK(
            verify() == "s proposal 1: proposal 1 counts as confirmed; by the audit log it was "
                        "made 1 times, confirmed 2 and rejected 0"
        );
    }

    TEST_CASE_FIXTURE(four_eyes, "another person behind a settled proposal is found")
    {
        propose("200", "299");
        propose("300", "399");
        confirm(1, "ben");
        CHECK(verify() == "gapless");
        for (std::string const changed : {"settled_by", "proposed_by"})
        {
            CAPTURE(changed);
            auto const was = run("select " + changed + " from gapless.proposal limit 1");
            tamper("update gapless.proposal set " + changed + " = 'role:x' where proposal_id = 1");
            CHECK(verify().ends_with(
                "; by the audit log, by role:" + role("anna") + " and role:" + role("ben")
            ));
            tamper("update gapless.proposal set " + changed + " = '" + was + "'");
        }
    }

    TEST_CASE_FIXTURE(four_eyes, "what can never be loaded is not proposed either")
    {
        CHECK(propose("150", "250") == "refused: block-overlap");
        CHECK(propose("300,350", "399,360") == "refused: block-overlap");
        CHECK(propose("300", "299") == "refused: out-of-range");
        CHECK(states().empty());
        CHECK(blocks() == "100|test");
    }

    TEST_CASE_FIXTURE(
        four_eyes, "a proposal that hits a block by now stays open, and loads nothing"
    )
    {
        CHECK(propose("200,300", "299,399") == "1");
        CHECK(propose("350", "360") == "2");
        CHECK(confirm(2, "ben") == "1|2|null");
        CHECK(confirm(1, "ben") == "2|null|block 2 of series 's' (350…360)");
        CHECK(states() == "1|proposed 2|confirmed");
        CHECK(reject(1).empty());
        CHECK(states() == "1|rejected 2|confirmed");
        CHECK(confirm(1, "ben") == "refused: state-conflict");
    }

    TEST_CASE_FIXTURE(four_eyes, "a proposal expires after seven days")
    {
        propose("200", "299");
        CHECK(run("select expires_at - proposed_at from gapless.proposal") == "7 days");
        tamper("update gapless.proposal set expires_at = now() - interval '1 second'");
        CHECK(states() == "1|expired");
        CHECK(confirm(1, "ben") == "refused: state-conflict");
        CHECK(reject(1) == "refused: state-conflict");
        CHECK(confirm(2, "ben") == "refused: not-found");
    }

    TEST_CASE_FIXTURE(four_eyes, "an open proposal tells what a person has to look at by now")
    {
        auto const& table = proposals::administration.operations;
        auto const read = std::ranges::find_if(table, [](operation const& each) {
            return each.path == "/v1/proposals/{id}" && !each.changes;
        });
        REQUIRE(read != table.end());
        auto const told = [&] {
            pqxx::work transaction{connection()};
            proposals::proposal_id const which{record_id{1}};
            answered made;
            read->run(transaction, &which, {}, made);
            return made.json;
        };
        propose("200000000", "200000999");
        CHECK(told().find(R"("warnings":[{"code":"other-length",)") != std::string::npos);
        CHECK(told().find("other-series") == std::string::npos);
        create_series("t", {{200'000'500, 200'000'501}}, "elsewhere");
        CHECK(told().find(R"({"code":"other-series",)") != std::string::npos);
        CHECK(reject(1).empty());
        CHECK(told().find("warnings") == std::string::npos);
    }

    TEST_CASE_FIXTURE(four_eyes, "lead days are 0 to 365, and of carriers that there are")
    {
        auto const change = [this](std::string const& what) {
            return run("select gapless.carrier_change(" + what + ", 'dba')");
        };
        CHECK(change("'carrier', 366, null") == "refused: out-of-range");
        CHECK(change("'carrier', -1, null") == "refused: out-of-range");
        CHECK(change("'nobody', 3, null") == "refused: not-found");
        auto const contact = [this](std::string const& text) {
            return run("select gapless.carrier_change('carrier', null, null, 'dba', " + text + ")");
        };
        CHECK(contact("' '") == "refused: out-of-range");
        CHECK(contact("repeat('x', 501)") == "refused: out-of-range");
        CHECK(run("select * from gapless.carrier_report()") == "carrier|14|t|null");
        CHECK(contact("repeat('ä', 500)").empty());
        CHECK(change("'carrier', 0, null").empty());
        CHECK(run("select contact = repeat('ä', 500) from gapless.carrier_report()") == "t");
        CHECK(contact("''").empty());
        CHECK(run("select * from gapless.carrier_report('carrier', '{s}')") == "carrier|0|t|null");
        CHECK(run("select * from gapless.carrier_report(null, '{t}')").empty());
    }

    TEST_CASE_FIXTURE(four_eyes, "two people switch four eyes off, as they load")
    {
        auto const set = [this](std::string const& who, std::string const& what) {
            CHECK(as(who, "select gapless.carrier_change('carrier', " + what + ", 'x')").empty());
            return run("select four_eyes, four_eyes_off_by from gapless.carrier");
        };
        std::string const off{"null, false"};
        auto const load = [this] {
            return run("select gapless.block_load('s', 200, 299, null, null, null, 'anna')");
        };
        auto const by = [this](std::string const& who) { return "t|role:" + role(who); };
        CHECK(set("anna", off) == by("anna"));
        CHECK(set("anna", off) == by("anna"));
        CHECK(load() == "refused: forbidden");
        CHECK(set("ben", "null, true") == "t|null");  // withdraws it
        CHECK(set("ben", off) == by("ben"));
        CHECK(set("anna", "9, null") == by("ben"));
        tamper("update gapless.carrier set four_eyes_off_until = now() - interval '1 second'");
        CHECK(set("anna", off) == by("anna"));
        CHECK(set("ben", off) == "f|null");
        CHECK(set("ben", off) == "f|null");
        CHECK(load() == "2");
        CHECK(
            run("select action, after ->> 'four_eyes' from gapless.audit_log where subject = "
                "'carrier' order by audit_id desc limit 3"
            ) == "carrier.change|false carrier.change|false carrier.propose|true"
        );
    }

    TEST_CASE_FIXTURE(four_eyes, "a token that was made through another one is its person's")
    {
        auto const made_by = [this](std::string const& words, std::string const& name) {
            return run(
                words + "select gapless.token_create('" + name + "', sha256('" + name +
                "'), '{load,admin}', null, null, 'x')"
            );
        };
        auto const shown = [](std::string const& id, std::string const& name) {
            return "select set_config('gapless.token_id', '" + id +
                   "', true), set_config('gapless.token_hash', encode(sha256('" + name +
                   "'), 'hex'), true); ";
        };
        auto const boss = shown(made_by("", "boss"), "boss");
        auto const child = shown(made_by(boss, "child"), "child");
        auto const grandchild = shown(made_by(child, "grandchild"), "grandchild");
        auto const namesake = shown(made_by(child, "other"), "other");
        auto const other = shown(made_by("", "other"), "other");
        std::string const propose{
            "select gapless.proposal_make('s', '{200}', '{299}', '{null}', '{null}', '{null}', "
            "'x')"};
        std::string const confirm{"select place, hits from gapless.proposal_confirm("};
        std::string const off{"select gapless.carrier_change('carrier', null, false, 'x')"};
        int id = 0;
        for (auto const& one : {boss, child, grandchild, namesake})
            for (auto const& two : {boss, child, grandchild, namesake})
            {
                CHECK(run(one + propose) == std::to_string(++id));
                CHECK(run(two + confirm + std::to_string(id) + ", 'x')") == "refused: forbidden");
                run(one + off);
                run(two + off);
                CHECK(run("select four_eyes from gapless.carrier") == "t");
            }
        CHECK(run("select distinct proposed_by from gapless.proposal") == "token:boss");
        CHECK(run(other + confirm + "1, 'x')") == "1|null");
        // What else the request sets waits, too.
        std::string const with_days{
            "select gapless.carrier_change('carrier', 33, false, 'x', 'post@a.example')"};
        std::string const set{"select four_eyes, lead_days, contact from gapless.carrier"};
        run(boss + with_days);
        CHECK(run(set) == "t|14|null");
        run(other + with_days);
        CHECK(run(set) == "f|33|post@a.example");
        CHECK(verify() == "gapless");
    }
}

}  // namespace proposal_test
