#include "harness/leasing.hpp"

#include <doctest/doctest.h>

namespace invoice_test {

struct fixture : gapless::test::issuing
{
    fixture() { create_series("s", {{100, 199}}); }

    void note(std::string const& kind, std::string const& ordinals)
    {
        run("select gapless.note_event(1, '" + kind + "', '{" + ordinals +
            "}', 'test', 'why', false)");
    }

    /// The runs that were issued between the moments of two ordinals' rows.
    std::string between(std::string const& from, std::string const& to)
    {
        auto const moment = [](std::string const& row) {
            return row.empty() ? "null"
                               : "(select issued_at from gapless.ledger where (turn, ordinal) = (" +
                                     row + "))";
        };
        return run(
            "select first, last from gapless.issued_between(1, " + moment(from) + ", " +
            moment(to) + ")"
        );
    }

    std::string replaced(std::string const& ordinals)
    {
        return run("select * from gapless.replacements_of(1, '{" + ordinals + "}')");
    }
};

TEST_SUITE("invoices/invoice_database")
{
    TEST_CASE_FIXTURE(fixture, "numbers issued between two moments are one run, both included")
    {
        for (auto const* key : {"a", "b", "c"})
            issue("s", {key, 2});
        CHECK(between("", "") == "1|6");
        CHECK(between("0, 3", "") == "3|6");
        CHECK(between("", "0, 3") == "1|4");
        CHECK(between("0, 3", "0, 3") == "3|4");
        CHECK(run("select * from gapless.issued_between(1, now() + interval '1 day', null)").empty()
        );
        CHECK(run("select * from gapless.issued_between(1, null, '2000-01-01')").empty());
    }

    TEST_CASE_FIXTURE(fixture, "of a number that was issued again the latest time counts")
    {
        issue("s", {.key = "held", .count = 2, .hold_seconds = 600});
        issue("s", {"a", 2});
        run("select gapless.hold_settle(1, 0, 1, '{[1,2]}', false, 'test')");
        issue("s", {"again", 2});  // 1 and 2, in turn 1
        CHECK(between("0, 3", "") == "1|4");
        CHECK(between("", "0, 3") == "3|4");
        CHECK(between("1, 1", "") == "1|2");
        CHECK(between("0, 3", "0, 3") == "3|4");
    }

    TEST_CASE_FIXTURE(
        gapless::test::leasing,
        "numbers of a lease count at its answer, for a takeover once settled"
    )
    {
        using namespace std::chrono;
        take(4);
        auto answer = left(1, 2, 1);
        answer.answered_at = floor<microseconds>(system_clock::now());
        settle({answer});
        std::string const at = "(select answered_at from gapless.lease_record)";
        auto const later = at + " + interval '1 microsecond'";
        auto const between = [this](std::string const& from, std::string const& to) {
            return run(
                "select first, last from gapless.issued_between(1, " + from + ", " + to + ")"
            );
        };
        CHECK(between(at, at) == "1|2");
        CHECK(between("null", at) == "1|4");
        CHECK(between(later, "null").empty());
        CHECK(
            run("select gapless.issued_since(" + later + ")") ==
            "series s: 100 to 101 (2 numbers in all)"
        );
    }

    TEST_CASE_FIXTURE(fixture, "what was issued later for the same reference replaced a number")
    {
        issue("s", {"a", 2, "order"});
        issue("s", {"b", 1, "other"});
        issue("s", {"c", 1, "order"});
        CHECK(replaced("1") == "1|4");
        CHECK(replaced("1,2,3,4") == "1|4 2|4");
        note("voided", "[4,4]");
        CHECK(replaced("1").empty());
        issue("s", {"d", 1, "order"});
        CHECK(replaced("1,4") == "1|5 4|5");
    }

    TEST_CASE_FIXTURE(
        fixture, "a reference that many have, or none, says nothing of single numbers"
    )
    {
        issue("s", {"none"});
        issue("s", {"none, too"});
        CHECK(replaced("1").empty());
        issue("s", {"old", 1, "large"});
        issue("s", {"many", 11, "large"});
        CHECK(replaced("3").empty());
        for (int n = 0; n < 20; ++n)
            issue("s", {"shop " + std::to_string(n), 1, "shop"});
        CHECK(replaced("15") == "15|16 15|17 15|18");
        issue("s", {"one more", 1, "shop"});
        CHECK(replaced("15").empty());
    }
}

}  // namespace invoice_test
