#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace event_test {

using namespace gapless;

struct fixture : test::issuing
{
    std::int32_t id{create_series("s", {{100, 199}})};

    fixture() { run("select gapless.issue('s', 10, 'first')"); }

    std::string note(
        std::string const& kind,
        std::string const& ordinals,
        std::string const& reason = "",
        bool force = false
    )
    {
        return run(
            "select gapless.note_event(1, '" + kind + "', '{" + ordinals + "}', 'test', '" +
            reason + "', " + (force ? "true" : "false") + ")"
        );
    }

    std::string message(std::string const& sql)
    {
        try
        {
            pqxx::work transaction{connection()};
            execute(transaction, sql);
            return "done";
        }
        catch (pqxx::sql_error const& error)
        {
            std::string const text = error.what();
            return text.substr(0, text.find('\n'));
        }
    }
};

TEST_SUITE("numbers/event_database")
{
    TEST_CASE_FIXTURE(fixture, "a label's life: printed, reprinted, manifested, returned")
    {
        CHECK(note("printed", "[1,4)") == "3");
        CHECK(note("printed", "[1,6)") == "2");
        CHECK(note("reprinted", "[2,3)") == "1");
        CHECK(note("reprinted", "[2,3)") == "1");
        CHECK(note("manifested", "[1,4)") == "3");
        CHECK(note("returned", "[1,2)") == "1");
        CHECK(
            run("select string_agg(kind, ' ') from gapless.number_history(1, 2)") ==
            "issued printed reprinted reprinted manifested"
        );
        CHECK(
            run("select printed, manifested, returned, plain from gapless.series_report('s')") ==
            "2|2|1|5"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        fixture,
        "a transition that makes no sense names the number and its state, and changes nothing"
    )
    {
        CHECK(note("printed", "[10,12)") == "refused: state-conflict");
        CHECK(note("reprinted", "[1,2)") == "refused: state-conflict");
        CHECK(note("returned", "[1,2)") == "refused: state-conflict");
        note("printed", "[1,3)");
        note("manifested", "[2,3)");
        CHECK(note("voided", "[1,4)", "torn") == "refused: state-conflict");
        CHECK(
            message("select gapless.note_event(1, 'voided', '{[1,4)}', 'test', 'torn', false)") ==
            "ERROR:  number 101 is manifested, the carrier knows it: only force voids it"
        );
        CHECK(note("stamped", "[1,2)") == "refused: out-of-range");
        CHECK(run("select count(*) from gapless.number_event where kind = 'voided'") == "0");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        fixture, "voiding needs a reason, and force where the carrier has the number already"
    )
    {
        CHECK(note("voided", "[1,2)") == "refused: out-of-range");
        CHECK(note("voided", "[1,2)", "torn") == "1");
        CHECK(note("voided", "[1,2)", "torn") == "0");
        CHECK(note("printed", "[1,2)") == "refused: state-conflict");
        note("manifested", "[2,3)");
        CHECK(note("voided", "[2,3)", "lost") == "refused: state-conflict");
        CHECK(note("voided", "[2,3)", "lost", true) == "1");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        fixture, "ten thousand ranges across chunks are one request, and neighbours melt together"
    )
    {
        run("select gapless.block_load('s', 1000, 30999, null, null, null, 'test')");
        run("select gapless.issue('s', 20000, 'many')");
        CHECK(
            run("select gapless.note_event(1, 'printed', (select range_agg(int8range(o, o + 1)) "
                "from generate_series(11, 20009, 2) o),"
                " 'test', null, false)") == "10000"
        );
        CHECK(
            run("select gapless.note_event(1, 'printed', (select range_agg(int8range(o, o + 1)) "
                "from generate_series(12, 20010, 2) o),"
                " 'test', null, false)") == "10000"
        );
        CHECK(run("select count(*) from gapless.number_state, unnest(numbers)") == "5");
        CHECK(run("select printed from gapless.tally") == "20000");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(fixture, "a day is closed once, with the same content for ever")
    {
        note("printed", "[1,4)");
        CHECK(run("select gapless.manifest_close('s', current_date, 'test')") == "3");
        note("printed", "[5,6)");
        CHECK(run("select gapless.manifest_close('s', current_date, 'test')") == "3");
        CHECK(
            run("select serial, count from gapless.manifest_ranges('s', current_date)") == "100|3"
        );
        CHECK(run("select gapless.manifest_close('s', current_date - 1, 'test')") == "0");
        CHECK(run("select gapless.manifest_close('s', current_date + 1, 'test')") == "1");
        CHECK(run("select manifested from gapless.tally") == "4");
        CHECK(verify() == "gapless");
    }
}

}  // namespace event_test
