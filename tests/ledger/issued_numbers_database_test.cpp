#include "formats/format_store.hpp"
#include "harness/issuing.hpp"
#include "ledger/list_numbers.hpp"
#include "postgres/transaction.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>

namespace issued_numbers_test {

using namespace gapless;

/// 100…104 for "a", 105…107 for "b" and, of the next block, 305 and 306 for "c".
struct issued : test::issuing
{
    issued()
    {
        create_series("s", {{100, 107}, {300, 399}});
        issue("s", {"a", 5, "a"});
        issue("s", {"b", 3, "b"});
        issue("s", {"x", 5});
        issue("s", {"c", 2, "c"});
        note("printed", "[2,5)");
        note("voided", "[4,5)");
    }

    std::string note(std::string const& kind, std::string const& ordinals)
    {
        return run(
            "select gapless.note_event(1, '" + kind + "', '{" + ordinals + "}', 'me', 'wet', false)"
        );
    }

    /// The rows of a list that is read page by page: "100-104 issued 2 printed 2; …"
    std::string list(ledger_page page, std::string const& name = "s")
    {
        return run_read(
                   connection(),
                   [&](pqxx::transaction_base& transaction) {
                       auto const series = read_series_settings(transaction, name).front();
                       std::string told;
                       for (std::optional<std::int64_t> next{0}; next;)
                       {
                           page.after = *next;
                           auto const piece =
                               cases::read_ledger{&series, page}.run(transaction).value();
                           for (auto const& row : piece.rows)
                           {
                               told +=
                                   fmt::format("{}-{}", row.range.serial, row.range.last_serial());
                               for (auto const& [state, count] : row.states)
                                   told += fmt::format(" {} {}", state, count);
                               told += "; ";
                           }
                           next = piece.next;
                       }
                       return told;
                   }
        ).value();
    }
};

TEST_SUITE("ledger/issued_numbers_database")
{
    TEST_CASE_FIXTURE(issued, "a row says in which states its numbers are")
    {
        CHECK(
            list({}) == "100-104 issued 2 printed 2 voided 1; 105-107 issued 3; "
                        "300-304 issued 5; 305-306 issued 2; "
        );
        CHECK(list({.reference = "a"}) == "100-104 issued 2 printed 2 voided 1; ");
    }

    TEST_CASE_FIXTURE(issued, "between two numbers there are those alone, of every block")
    {
        struct
        {
            serial_range serials;
            std::string_view rows;
        } const cases[]{
            {{100, 399},
             "100-104 issued 2 printed 2 voided 1; 105-107 issued 3; 300-304 issued 5; "
             "305-306 issued 2; "},
            {{103, 105}, "103-104 issued 1 voided 1; 105-105 issued 1; "},
            {{101, 101}, "101-101 printed 1; "},
            {{106, 300}, "106-107 issued 2; 300-300 issued 1; "},
            {{306, 350}, "306-306 issued 1; "},
            {{307, 399}, ""},
            {{108, 299}, ""},
        };
        for (auto const& [serials, rows] : cases)
            for (std::int32_t const limit : {1, 2, 100})
            {
                CAPTURE(serials.first);
                CAPTURE(limit);
                CHECK(list({.limit = limit, .serials = serials}) == rows);
            }
    }

    TEST_CASE_FIXTURE(issued, "a number that was issued again is there each time")
    {
        run("select gapless.series_create('t', 'dhl', 't', null, null, 'reissue', null, null, "
            "'me')");
        load_block("t", {500, 509});
        CHECK(issue("t", {"h", 4, "held", false, 1, 60}) == "500-503");
        run("select gapless.hold_settle(2, 0, 1, '{[2,4)}', false, 'me')");
        CHECK(issue("t", {"again", 1, "again"}) == "501-501");
        CHECK(
            run("select string_agg(p.serial || ' ' || p.reference, ', ' order by p.ordinal, "
                "p.issued_at) from gapless.ordinals_between(2, 501, 501, 0) n, "
                "gapless.ledger_page(2, n.before, 10, null, null, null) p "
                "where p.ordinal <= n.last and p.ordinal + p.count > n.first"
            ) == "501 held, 501 again"
        );
        // The owner of today is on a page, even if the rows before end behind the number.
        for (std::int32_t const limit : {1, 2, 100})
        {
            CAPTURE(limit);
            CHECK(
                list({.limit = limit, .serials = serial_range{501, 501}}, "t") ==
                "501-501; 501-501 issued 1; "
            );
        }
        // What was issued again in front of it fills no page.
        CHECK(issue("t", {"h2", 4, "held", false, 1, 60}) == "502-502 504-506");
        CHECK(list({.limit = 1, .serials = serial_range{503, 503}}, "t") == "503-503 held 1; ");
    }

    TEST_CASE_FIXTURE(issued, "a number that was loaded again is last the one issued since")
    {
        run("select gapless.block_close(2, 'unused', 'me'); "
            "update gapless.series set reuse_after = '0 s'");
        load_block("s", {101, 305});
        CHECK(
            list({.last = true}).ends_with("105-107 issued 3; 300-304 issued 5; 305-306 issued 2; ")
        );
        issue("s", {"again", 204});
        for (std::int32_t const limit : {1, 2, 100})
        {
            CAPTURE(limit);
            CHECK(
                list({.limit = limit, .last = true}) ==
                "100-100 issued 1; 305-306 issued 2; 101-304 issued 204; "
            );
        }
        CHECK(list({.reference = "a", .last = true}) == "100-100 issued 1; ");
        CHECK(list({.reference = "a"}) == "100-104 issued 2 printed 2 voided 1; ");
    }

    TEST_CASE_FIXTURE(issued, "a day says what became of its numbers, and what is to be reported")
    {
        auto const day = [this](std::string const& which) {
            return run("select gapless.day_report(1, gapless.day_of(now())" + which + ")::text");
        };
        // over, issued, unprinted, held, printed, voided, manifested, returned, to report, reported
        CHECK(day("") == "(f,15,12,0,2,1,0,0,2,)");
        CHECK(day(" - 1") == "(t,0,0,0,0,0,0,0,0,)");
        CHECK(day(" + 1") == "(f,0,0,0,0,0,0,0,2,)");
        issue("s", {"h", 2, "", false, 1, 60});
        run("select gapless.manifest_close('s', gapless.day_of(now()), 'me')");
        CHECK(note("returned", "[2,3)") == "1");
        CHECK(day("") == "(f,17,12,2,0,1,1,1,0,2)");
    }

    TEST_CASE_FIXTURE(issued, "a reference leads to its series")
    {
        CHECK(run("select gapless.issued_under('s', 'c')") == "t");
        CHECK(run("select gapless.issued_under('s', 'd')") == "f");
    }
}

}  // namespace issued_numbers_test
