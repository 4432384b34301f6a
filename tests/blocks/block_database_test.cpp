#include "harness/issuing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>

namespace block_test {

using namespace gapless;
using test::issuing;

struct blocks : issuing
{
    blocks() { create_series("s", {}); }

    /// gapless.block_load('s', <arguments>, 'me'), the rest of the arguments null.
    std::string load(
        std::string const& ends, std::string const& count = "null", std::string const& series = "s"
    )
    {
        return run(
            "select gapless.block_load('" + series + "', " + ends + ", " + count +
            ", null, null, 'me')"
        );
    }

    std::string queue()
    {
        return run("select first, state, position from gapless.block_report('s')");
    }

    std::string last_act()
    {
        return run(
            "select actor, action, subject from gapless.audit_log order by audit_id desc limit 1"
        );
    }

    std::string acts() { return run("select count(*) from gapless.audit_log"); }
};

TEST_SUITE("blocks/block_database")
{
    TEST_CASE_FIXTURE(issuing, "a page of a series' blocks begins behind any position")
    {
        create_series("s", {{100, 199}, {200, 299}, {300, 399}, {400, 499}});
        auto const page = [this](std::string const& after) {
            return run("select first from gapless.block_report('s', null, " + after + ", 2)");
        };
        CHECK(page("0") == "100 200");
        CHECK(page("1") == "200 300");
        CHECK(page("3") == "400");
        CHECK(page("9223372036854775807").empty());
    }

    TEST_CASE_FIXTURE(blocks, "a loaded block queues up behind the others")
    {
        CHECK(load("500, 509") == "1");
        CHECK(load("100, 109") == "2");
        CHECK(queue() == "500|queued|1 100|queued|2");
        CHECK(issue("s", {"a"}) == "500-500");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(blocks, "what the carrier says it holds counts both ends")
    {
        CHECK(
            load("4901214213405250000, 4901214213405500000", "250000") == "refused: out-of-range"
        );
        CHECK(
            load("4901214213405250000, 4901214213405500000", "250002") == "refused: out-of-range"
        );
        CHECK(
            load("4901214213405250000, 4901214213405500000", "250001.5") == "refused: out-of-range"
        );
        CHECK(run("select count(*) from gapless.block") == "0");
        CHECK(load("4901214213405250000, 4901214213405500000", "250001") == "1");
        CHECK(load("0, 4901214213405249999", "4901214213405250000") == "2");
    }

    TEST_CASE_FIXTURE(blocks, "a block may hold one number, or all there are")
    {
        CHECK(load("7, 7", "1") == "1");
        create_series("t", {}, "another space");
        CHECK(load("0, 9223372036854775806", "9223372036854775807", "t") == "2");
        CHECK(run("select remaining from gapless.series_report()") == "1 9223372036854775807");
    }

    TEST_CASE_FIXTURE(blocks, "a block that does not run upwards within reach is refused")
    {
        CHECK(load("110, 109") == "refused: out-of-range");
        CHECK(load("-1, 109") == "refused: out-of-range");
        CHECK(load("1, 9223372036854775807") == "refused: out-of-range");
        CHECK(load("null, 109") == "refused: out-of-range");
        CHECK(load("100, null") == "refused: out-of-range");
        CHECK(load("100, 109", "null", "t") == "refused: unknown-series");
        CHECK(run("select count(*) from gapless.block") == "0");
        CHECK(acts() == "1");
    }

    TEST_CASE_FIXTURE(blocks, "a block that overlaps is refused, whatever became of the other")
    {
        load("100, 104");
        load("200, 204");
        load("300, 304");
        issue("s", {"a", 7});
        run("select gapless.block_close(3, 'wet', 'me')");
        create_series("t", {});
        CHECK(queue() == "100|exhausted|1 200|open|2 300|closed|3");

        for (std::string const series : {"s", "t"})
        {
            CAPTURE(series);
            CHECK(load("100, 104", "null", series) == "refused: block-overlap");
            CHECK(load("104, 110", "null", series) == "refused: block-overlap");
            CHECK(load("90, 100", "null", series) == "refused: block-overlap");
            CHECK(load("203, 203", "null", series) == "refused: block-overlap");
            CHECK(load("0, 1000", "null", series) == "refused: block-overlap");
            CHECK(load("304, 304", "null", series) == "refused: block-overlap");
        }
        CHECK(run("select count(*) from gapless.block") == "3");
        CHECK(load("105, 199", "null", "t") == "4");
    }

    TEST_CASE_FIXTURE(blocks, "numbers that another format of the space prints, too, are refused")
    {
        auto const format = [&](std::string const& name, std::string const& program) {
            run("select gapless.series_create('" + name +
                "', 'carrier', null, 'own', null, null, "
                "null, null, 'me', null, '{" +
                program + "}')");
        };
        auto const refused = "refused: block-overlap";
        std::string const mod_10{R"(, "check": {"kernel": "mod", "mod": 10, "head": ")"};
        std::string const results{R"(", "tail": "", "results": "0123456789"})"};

        load("500000, 500999");
        format("tens", R"("base": 10, "width_min": 5, "head": "", "tail": "0", "check": null)");
        CHECK(load("50000, 50099", "null", "tens") == refused);
        CHECK(load("50100, 50199", "null", "tens") == "2");

        // The head of one is a part of the serial of the other.
        format(
            "long",
            R"("base": 10, "width_min": 8, "head": "PS", "tail": "?")" + mod_10 + "1" + results
        );
        format(
            "07",
            R"("base": 10, "width_min": 6, "head": "PS07", "tail": "?")" + mod_10 + "107" + results
        );
        format(
            "08",
            R"("base": 10, "width_min": 6, "head": "PS08", "tail": "?")" + mod_10 + "108" + results
        );
        CHECK(load("0, 99", "null", "07") == "3");
        CHECK(load("7000099, 7000199", "null", "long") == refused);
        CHECK(load("7000100, 7000199", "null", "long") == "4");
        CHECK(load("100, 100", "null", "08") == "5");

        // Of 000A…000Z none is all digits, although they are between 0009 and 0010.
        format("digits", R"("base": 10, "width_min": 4, "head": "Z", "tail": "", "check": null)");
        format("letters", R"("base": 36, "width_min": 4, "head": "Z", "tail": "", "check": null)");
        CHECK(load("2000, 2010", "null", "digits") == "6");
        CHECK(load("93312, 93321", "null", "letters") == refused);
        CHECK(load("93357, 93382", "null", "letters") == "7");
        run("select gapless.block_withdraw(6, 'typo', 'me')");
        CHECK(load("93312, 93321", "null", "letters") == "8");
        CHECK(load("2000, 2000", "null", "digits") == refused);

        // What a check character takes away from one is a digit of the other, or is not.
        format("plain-9", R"("base": 10, "width_min": 9, "head": "PS", "tail": "", "check": null)");
        auto const number = run("select gapless.format_number(s.program, 7000150) from "
                                "gapless.series s where s.name = 'long'");
        auto const serial = number.substr(2);
        CHECK(load(serial + ", " + serial, "null", "plain-9") == refused);
        auto const next = run("select " + serial + " + 1");
        CHECK(load(next + ", " + next, "null", "plain-9") == "9");

        // A check character before the serial counts as each that it may be.
        format(
            "front",
            R"("base": 10, "width_min": 8, "head": "Q?", "tail": "")" + mod_10 + "" + results
        );
        format("behind", R"("base": 10, "width_min": 9, "head": "Q", "tail": "", "check": null)");
        CHECK(load("30000001, 30000100", "null", "front") == "10");
        CHECK(load("730000000, 730000099", "null", "behind") == refused);
        CHECK(load("730000101, 730000199", "null", "behind") == "11");
        CHECK(load("30000150, 30000160", "null", "front") == refused);
        CHECK(load("30000200, 30000299", "null", "front") == "12");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(blocks, "where only serials are the same, the refusal says what to do")
    {
        auto const program = [](std::string const& head) {
            return R"('{"base":10,"width_min":8,"width_max":8,"head":")" + head +
                   R"(","tail":"DE","check":null}')";
        };
        for (std::string const name : {"rb", "rr", "own"})
            run("select gapless.series_create('" + name + "', 'carrier', " +
                (name == "own" ? "'space'" : "null") +
                ", 'own', null, null, null, null, 'me', null, " +
                program(name == "rb" ? "RB" : "RR") + ")");
        load("1, 9", "null", "rb");
        load("20, 29", "null", "rr");
        auto const hits = [&](std::string const& series, std::string const& last) {
            return run(
                "select hits from gapless.block_load_many('" + series + "', '{9}', '{" + last +
                "}', '{null}', '{null}', 'me')"
            );
        };
        CHECK(
            hits("rr", "9") ==
            "block 1 of series 'rb' (RB00000001DE…RB00000009DE); the numbers differ, but a number "
            "space takes each serial once: create a series with a --space of its own"
        );
        CHECK(hits("rb", "9") == "block 1 of series 'rb' (RB00000001DE…RB00000009DE)");
        CHECK(hits("rr", "20").ends_with("block 2 of series 'rr' (RR00000020DE…RR00000029DE)"));
        CHECK(load("1, 9", "null", "own") == "3");
    }

    TEST_CASE_FIXTURE(blocks, "the refusal names the blocks that are hit")
    {
        load("100, 104");
        load("200, 204");
        try
        {
            pqxx::work transaction{connection()};
            execute(
                transaction, "select gapless.block_load('s', 102, 202, null, null, null, 'me')"
            );
            FAIL("an overlapping block was loaded");
        }
        catch (pqxx::sql_error const& error)
        {
            CHECK(
                std::string{error.what()}.find(
                    "block 1 of series 's' (100…104), block 2 of series 's' (200…204)"
                ) != std::string::npos
            );
        }
    }

    TEST_CASE_FIXTURE(blocks, "another space may assign the same numbers")
    {
        load("100, 104");
        create_series("t", {{100, 104}}, "another space");

        CHECK(issue("s", {"a"}) == "100-100");
        CHECK(issue("t", {"b"}) == "100-100");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(blocks, "a load locks its own series, and no other one of the space")
    {
        create_series("t", {});
        create_series("u", {});
        CHECK(run("select count(distinct space) from gapless.series") == "1");
        CHECK(
            run("select gapless.block_load('s', 100, 199, null, null, null, 'me'); "
                "select string_agg(name, ' ') from gapless.series "
                "where xmax = pg_current_xact_id()::xid") == "s"
        );
    }

    TEST_CASE_FIXTURE(blocks, "a load is kept with who did it and what for")
    {
        run("select gapless.block_load('s', 100, 109, 10, 'letter 7', '2099-01-01', 'anna')");

        CHECK(last_act() == "sql:anna|block.load|s/1");
        CHECK(
            run("select before, after ->> 'first', after ->> 'last', after ->> 'reference' from "
                "gapless.audit_log "
                "order by audit_id desc limit 1") == "null|100|109|letter 7"
        );
        CHECK(
            run("select reference, valid_until::date, loaded_by from gapless.block_report('s') "
                "join gapless.block using (block_id, reference, valid_until, loaded_by)"
            ) == "letter 7|2099-01-01|anna"
        );
    }

    TEST_CASE_FIXTURE(blocks, "a queued block moves before another or to the end")
    {
        for (auto const ends : {"100, 101", "200, 201", "300, 301", "400, 401"})
            load(ends);
        issue("s", {"a"});
        auto const move = [&](std::string const& block, std::string const& before) {
            return run("select gapless.block_move(" + block + ", " + before + ", 'anna')");
        };

        CHECK(move("4", "2").empty());
        CHECK(queue() == "100|open|1 400|queued|2 200|queued|3 300|queued|4");
        CHECK(last_act() == "sql:anna|block.move|4");
        CHECK(move("4", "null").empty());
        CHECK(queue() == "100|open|1 200|queued|2 300|queued|3 400|queued|4");
        CHECK(move("2", "4").empty());
        CHECK(queue() == "100|open|1 300|queued|2 200|queued|3 400|queued|4");
        CHECK(move("2", "2").empty());
        CHECK(queue() == "100|open|1 300|queued|2 200|queued|3 400|queued|4");
        CHECK(move("4", "null").empty());
        CHECK(issue("s", {"b", 4}) == "101-101 300-301 200-200");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(blocks, "only queued blocks move, and only within their series")
    {
        for (auto const ends : {"100, 100", "200, 201", "300, 301", "400, 401"})
            load(ends);
        create_series("t", {{500, 509}});
        issue("s", {"a", 2});
        run("select gapless.block_close(4, 'wet', 'me')");
        auto const before = queue();
        auto const acts_before = acts();
        auto const move = [&](std::string const& block, std::string const& to) {
            return run("select gapless.block_move(" + block + ", " + to + ", 'me')");
        };

        CHECK(move("1", "null") == "refused: state-conflict");  // exhausted
        CHECK(move("2", "null") == "refused: state-conflict");  // open
        CHECK(move("4", "null") == "refused: state-conflict");  // closed
        CHECK(move("3", "2") == "refused: state-conflict");
        CHECK(move("3", "4") == "refused: state-conflict");
        CHECK(move("3", "5") == "refused: not-found");
        CHECK(move("3", "99") == "refused: not-found");
        CHECK(move("99", "null") == "refused: not-found");
        CHECK(queue() == before);
        CHECK(acts() == acts_before);
    }

    TEST_CASE_FIXTURE(blocks, "closing the open block ends it where it stands")
    {
        load("100, 109");
        load("200, 209");
        issue("s", {"a", 3});

        CHECK(run("select gapless.block_close(1, 'misprinted', 'anna')") == "7");
        CHECK(last_act() == "sql:anna|block.close|1");
        CHECK(
            run("select after ->> 'closed_serial', after ->> 'reason' from gapless.audit_log order "
                "by audit_id desc limit 1") == "103|misprinted"
        );
        CHECK(
            run("select state, issued, remaining, next from gapless.block_report('s')") ==
            "closed|3|0|null queued|0|10|200"
        );
        CHECK(run("select issued, remaining, next from gapless.series_report('s')") == "3|10|200");
        CHECK(issue("s", {"b", 2}) == "200-201");
        CHECK(run("select ordinal, serial from gapless.ledger order by ordinal") == "1|100 4|200");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(blocks, "closing a queued block takes all of it out of the queue")
    {
        load("100, 100");
        load("200, 209");
        load("300, 309");

        CHECK(run("select gapless.block_close(2, 'lost', 'anna')") == "10");
        CHECK(issue("s", {"a", 2}) == "100-100 300-300");
        CHECK(
            run("select state, issued, remaining from gapless.block_report('s', 2)") == "closed|0|0"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        blocks, "the last block may be closed, and the series goes on once one is loaded"
    )
    {
        load("100, 109");
        issue("s", {"a", 3});
        run("select gapless.block_close(1, 'misprinted', 'anna')");

        CHECK(issue("s", {"b"}) == "refused: series-exhausted");
        CHECK(issue_plain("s", {{"b"}}) == "nothing");
        CHECK(verify() == "gapless");
        load("300, 309");
        CHECK(issue("s", {"b"}) == "300-300");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(
        blocks, "a block that is used up, closed or unknown is not closed, nor any without a reason"
    )
    {
        load("100, 101");
        load("200, 201");
        load("300, 301");
        issue("s", {"a", 2});
        run("select gapless.block_close(3, 'wet', 'me')");
        auto const close = [&](std::string const& arguments) {
            return run("select gapless.block_close(" + arguments + ", 'me')");
        };
        auto const acts_before = acts();

        CHECK(
            close("1, 'x'") == "refused: state-conflict"
        );  // every number left, although none of block 2 did
        CHECK(close("3, 'x'") == "refused: state-conflict");
        CHECK(close("99, 'x'") == "refused: not-found");
        CHECK(close("2, ''") == "refused: out-of-range");
        CHECK(close("2, '  '") == "refused: out-of-range");
        CHECK(close("2, null") == "refused: out-of-range");
        issue("s", {"b"});
        CHECK(close("1, 'x'") == "refused: state-conflict");
        CHECK(acts() == acts_before);
        CHECK(verify() == "gapless");
    }
}

}  // namespace block_test
