#include "harness/issuing.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace series_test {

using namespace gapless;
using test::issuing;

struct series : issuing
{
    std::string create(std::string const& arguments)
    {
        return run("select gapless.series_create(" + arguments + ", 'anna')");
    }

    std::string change(std::string const& changes, std::string const& version = "null")
    {
        return run("select gapless.series_change('s', '" + changes + "', " + version + ", 'anna')");
    }

    std::string settings()
    {
        return run("select on_release, on_expiry, low_water, paused, version from "
                   "gapless.series_report('s')");
    }

    /// Rows that this looks at, of the tables that grow with the series.
    std::int64_t rows_of(std::string const& statement)
    {
        std::int64_t rows = 0;
        for (auto const* table : {"series", "counter", "tally", "block"})
        {
            rows += work_of(
                "set local enable_seqscan = off; " + statement + ";",
                table,
                "seq_tup_read + idx_tup_fetch"
            );
        }
        return rows;
    }
};

TEST_SUITE("series/series_database")
{
    TEST_CASE_FIXTURE(
        series, "a series starts empty, with defaults, its space named after its carrier"
    )
    {
        CHECK(create("'s', 'dhl', null, null, null, null, null, null") == "1");
        CHECK(
            run("select name, carrier, space, format, params, issued, remaining, next, blocks from "
                "gapless.series_report()") == "s|dhl|dhl|plain|{}|0|0|null|0"
        );
        CHECK(settings() == "reissue|void|null|f|1");
        CHECK(
            run("select actor, role = session_user, action, subject, before, after ->> 'name' from "
                "gapless.audit_log") == "sql:anna|t|series.create|s|null|s"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(series, "what breaks a rule is refused and nothing is created")
    {
        CHECK(
            create("'Dhl', 'dhl', null, null, null, null, null, null") == "refused: out-of-range"
        );
        CHECK(create("'', 'dhl', null, null, null, null, null, null") == "refused: out-of-range");
        CHECK(create("null, 'dhl', null, null, null, null, null, null") == "refused: out-of-range");
        CHECK(
            create("repeat('s', 64), 'dhl', null, null, null, null, null, null") ==
            "refused: out-of-range"
        );
        CHECK(create("'s', '', null, null, null, null, null, null") == "refused: out-of-range");
        CHECK(create("'s', 'dhl ', null, null, null, null, null, null") == "refused: out-of-range");
        CHECK(create("'s', null, null, null, null, null, null, null") == "refused: out-of-range");
        CHECK(create("'s', 'dhl', ' ', null, null, null, null, null") == "refused: out-of-range");
        CHECK(create("'s', 'dhl', 'x ', null, null, null, null, null") == "refused: out-of-range");
        CHECK(
            create("'s', 'dhl', repeat('x', 128), null, null, null, null, null") ==
            "refused: out-of-range"
        );
        CHECK(
            create("'s', 'dhl', null, null, null, 'burn', null, null") == "refused: out-of-range"
        );
        CHECK(
            create("'s', 'dhl', null, null, null, null, 'burn', null") == "refused: out-of-range"
        );
        CHECK(create("'s', 'dhl', null, null, null, null, null, -1") == "refused: out-of-range");
        CHECK(
            run("select (select count(*) from gapless.series), (select count(*) from "
                "gapless.carrier), "
                "(select count(*) from gapless.counter), (select count(*) from gapless.audit_log)"
            ) == "0|0|0|0"
        );
    }

    TEST_CASE_FIXTURE(series, "a name is taken once")
    {
        create("'s', 'dhl', null, null, null, null, null, null");
        CHECK(
            create("'s', 'dpd', null, null, null, null, null, null") == "refused: state-conflict"
        );
        CHECK(create("repeat('s', 63), 'dhl', null, null, null, null, null, null") == "2");
        CHECK(run("select count(*) from gapless.carrier") == "1");
    }

    TEST_CASE_FIXTURE(series, "a change sets what it names and nothing else")
    {
        create_series("s", {{100, 109}});

        CHECK(change(R"({"low_water": 5})").empty());
        CHECK(settings() == "reissue|void|5|f|2");
        CHECK(change(R"({"on_release": "void", "on_expiry": "reissue"})").empty());
        CHECK(settings() == "void|reissue|5|f|3");
        CHECK(change(R"({"low_water": null, "paused": true})").empty());
        CHECK(settings() == "void|reissue|null|t|4");
        CHECK(change(R"({"paused": false})").empty());
        CHECK(settings() == "void|reissue|null|f|5");
        CHECK(
            run("select action, before ->> 'paused', after ->> 'paused' from gapless.audit_log "
                "order by audit_id desc limit 1") == "series.change|true|false"
        );
        CHECK(issue("s", {"a"}) == "100-100");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(series, "who paused a series, and why, is known while it lasts")
    {
        create_series("s", {});
        auto const pause = [this](std::string const& changes) {
            auto const refused = change(changes);
            return refused + run("select paused_reason, paused_by, paused_at is not null from "
                                 "gapless.series_report('s')");
        };
        CHECK(pause(R"({"paused_reason": "x"})") == "refused: out-of-rangenull|null|f");
        CHECK(pause(R"({"paused": true, "paused_reason": "paper"})") == "paper|anna|t");
        CHECK(pause(R"({"paused": true, "low_water": 5})") == "paper|anna|t");
        CHECK(pause(R"({"paused_reason": "ink"})") == "ink|anna|t");
        CHECK(pause(R"({"paused": false})") == "null|null|f");
        CHECK(pause(R"({"paused": true})") == "null|anna|t");
    }

    TEST_CASE_FIXTURE(series, "a change at another version than expected is refused")
    {
        create_series("s", {});

        CHECK(change(R"({"paused": true})", "2") == "refused: precondition-failed");
        CHECK(change(R"({"paused": true})", "1").empty());
        CHECK(change(R"({"paused": false})", "1") == "refused: precondition-failed");
        CHECK(change(R"({"paused": false})", "2").empty());
        CHECK(settings() == "reissue|void|null|f|3");
    }

    TEST_CASE_FIXTURE(series, "a change that breaks a rule changes nothing")
    {
        create_series("s", {});

        CHECK(change(R"({"low_water": -1, "paused": true})") == "refused: out-of-range");
        CHECK(change(R"({"on_release": "burn"})") == "refused: out-of-range");
        CHECK(change(R"({"on_expiry": "burn"})") == "refused: out-of-range");
        CHECK(
            run("select gapless.series_change('t', '{}', null, 'anna')") ==
            "refused: unknown-series"
        );
        CHECK(settings() == "reissue|void|null|f|1");
        CHECK(run("select count(*) from gapless.audit_log where action = 'series.change'") == "0");
    }

    TEST_CASE_FIXTURE(series, "the ids of a database's series begin where was chosen, once")
    {
        auto const choose = [&](std::string const& first) {
            return run("select gapless.series_ids_set(" + first + ", 'anna')");
        };
        for (auto const* wrong : {"null", "1", "5000000", "10000001", "100000000"})
            CHECK(choose(wrong) == "refused: out-of-range");
        CHECK(run("select gapless.series_ids()") == "1");
        CHECK(choose("20000000") == "");
        CHECK(choose("20000000") == "refused: state-conflict");
        CHECK(choose("30000000") == "refused: state-conflict");
        CHECK(create("'s', 'dhl', null, null, null, null, null, null") == "20000000");
        CHECK(create("'t', 'dhl', null, null, null, null, null, null") == "20000001");
        CHECK(run("select gapless.series_ids()") == "20000000");
        CHECK(run("select gapless.issuance_name(20000001, 0, 7)") == "8200000017");
    }

    TEST_CASE_FIXTURE(series, "the ids of series stay where they begin once there was one")
    {
        create_series("s", {{1, 9}});
        CHECK(run("select gapless.series_ids_set(20000000, 'anna')") == "refused: state-conflict");
        CHECK(run("select gapless.series_ids()") == "1");
    }

    TEST_CASE_FIXTURE(series, "the report counts what left, what remains and what comes next")
    {
        create_series("s", {{100, 101}, {200, 204}, {300, 309}});
        auto const report = [&] {
            return run("select issued, remaining, next, blocks from gapless.series_report('s')");
        };

        CHECK(report() == "0|17|100|3");
        issue("s", {"a", 2});
        CHECK(report() == "2|15|200|3");
        issue("s", {"b", 1});
        CHECK(report() == "3|14|201|3");
        run("select gapless.block_close(2, 'wet', 'me')");
        CHECK(report() == "3|10|300|3");
        issue("s", {"c", 10});
        CHECK(report() == "13|0|null|3");
        CHECK(run("select count(*) from gapless.series_report('t')") == "0");
    }

    TEST_CASE_FIXTURE(series, "a search finds the reference of a block in any case, umlauts too")
    {
        create_series("s", {});
        run("select gapless.block_load('s', 100, 109, null, 'Ärger', null, 'me')");
        for (std::string const search : {"Ärger", "ÄRG", "ärger"})
            CHECK(run("select gapless.series_page(p_search => '" + search + "')") == "s");
        CHECK(run("select gapless.series_page(p_search => 'arger')") == "");
    }

    TEST_CASE_FIXTURE(series, "one series and a page cost what they show, however many there are")
    {
        create("'n000', 'dhl', null, null, null, null, null, null");
        auto const grow = [&](int first, int last) {
            auto const name = "'n' || lpad(n::text, 3, '0') from generate_series(" +
                              std::to_string(first) + ", " + std::to_string(last) + ") n";
            return run(
                "with new as (insert into gapless.series (name, carrier, space, program) select "
                "n.name, 'dhl', 'dhl', s.program from gapless.series s, (select " +
                name +
                ") n (name) where s.name = 'n000' returning series_id), counted as (insert into "
                "gapless.counter (series_id, epoch) select series_id, 1 from new) insert into "
                "gapless.tally (series_id) select series_id from new"
            );
        };
        std::array const asked{
            "select from gapless.series_report('n030')",
            "select from gapless.series_report(p_names => "
            "array(select gapless.series_page(p_limit => 10)))",
            "select from gapless.series_page(p_after => 'n030', p_state => 'exhausted', p_limit => "
            "5)",
            "select from gapless.series_page(p_visible => array['n020', 'n030'])"};
        grow(1, 49);
        std::vector<std::int64_t> few;
        for (auto const* statement : asked)
            few.push_back(rows_of(statement));
        CHECK(few[0] == 4);
        grow(50, 499);
        for (std::size_t n = 0; n < asked.size(); ++n)
            CHECK(rows_of(asked[n]) <= few[n]);
    }
}

}  // namespace series_test
