#include "harness/erasing.hpp"
#include "postgres/query.hpp"

#include <doctest/doctest.h>
#include <pqxx/connection>
#include <pqxx/transaction>

using namespace gapless;
using test::before_now;
using test::erasing;

TEST_SUITE("proof/erasure_database")
{
    TEST_CASE_FIXTURE(erasing, "a reference is erased wherever it is exactly that in its series")
    {
        CHECK(references() == "Meier Huber - Meier Meier");
        CHECK(erase("s", "Meier") == "3");
        CHECK(references() == "# Huber - # #");
        CHECK(references("t") == "Meier");
        CHECK(erase("s", "Meier") == "null");
        CHECK(erase("s", "Hube") == "null");
        CHECK(run("select count(*) from gapless.ledger where reference_salt is not null") == "2");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(erasing, "what was sealed before an erasure is proved after it")
    {
        CHECK(chain() == "t|[]");
        CHECK(erase("s", "Meier") == "3");
        CHECK(chain() == "t|[]");
        CHECK(erase("s", "", before_now) == "1");
        CHECK(chain() == "t|[]");
        CHECK(run("select count(*) from gapless.seal where kind = 'ledger'") == "1");
    }

    TEST_CASE_FIXTURE(erasing, "what was erased before it was sealed is proved, too")
    {
        CHECK(erase("s", "Meier") == "3");
        CHECK(chain() == "t|[]");
    }

    TEST_CASE_FIXTURE(erasing, "a repeated key gets its numbers without the erased reference")
    {
        auto const repeat = [&](std::string const& key, int count, std::string const& reference) {
            return run(
                "select outcome, replayed, serial, reference_erased from gapless.issue_requests(1, "
                "array[" +
                std::to_string(count) + "], array[1], array[gapless.key_to_uuid('" + key +
                "')], array[" + (reference.empty() ? "null" : "'" + reference + "'") +
                "], array[false], false)"
            );
        };
        CHECK(repeat("a", 1, "Meier") == "null|t|100|f");
        CHECK(repeat("a", 1, "Huber") == "GL016|f|null|f");
        erase("s", "Meier");
        CHECK(repeat("a", 1, "Meier") == "null|t|100|t");
        CHECK(repeat("a", 1, "Huber") == "null|t|100|t");  // which one it was nobody knows
        CHECK(repeat("a", 1, "") == "GL016|f|null|f");
        CHECK(repeat("a", 2, "Meier") == "GL016|f|null|f");
        CHECK(repeat("b", 2, "Huber") == "null|t|101|f");
        CHECK(repeat("c", 1, "Meier") == "GL016|f|null|f");
        CHECK(repeat("d", 3, "Meier") == "null|t|104|t null|t|200|t");
        CHECK(
            run("select replayed, reference_erased from gapless.issue_ranges('s', 1, 'x', 'Huber')"
            ) == "f|f"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(erasing, "every report says that a reference was erased")
    {
        erase("s", "Meier");
        CHECK(
            run("select reference, reference_erased from gapless.issuance_report(1, 0, 1)") ==
            "null|t"
        );
        CHECK(
            run("select reference, reference_erased from gapless.number_report(1, 100)") == "null|t"
        );
        CHECK(
            run("select reference, reference_erased from gapless.number_report(1, 101)") ==
            "Huber|f"
        );
        CHECK(
            run("select reference, reference_erased from gapless.ledger_page(1, 0, 10, null, null, "
                "null)") == "null|t Huber|f null|f null|t null|t"
        );
        CHECK(
            run("select count(*) from gapless.ledger_page(1, 0, 10, 'Meier', null, null)") == "0"
        );
    }

    TEST_CASE_FIXTURE(erasing, "references of what was issued before a moment are erased in steps")
    {
        auto const moment = "timestamptz '" + run("select clock_timestamp()") + "'";
        for (int n = 0; n < 5; ++n)
            issue("s", {"later " + std::to_string(n), 1, "Later"});
        CHECK(erase("s", "", moment, 2) == "4");
        CHECK(references() == "# # - # # Later Later Later Later Later");
        CHECK(erase("s", "", moment, 2) == "null");
        CHECK(erase("s", "", "clock_timestamp() + interval '1 hour'") == "refused: out-of-range");
        CHECK(erase("s", "", before_now, 3) == "5");
        CHECK(verify() == "gapless");
        CHECK(chain() == "t|[]");
    }

    TEST_CASE_FIXTURE(erasing, "references of numbers that were issued again are erased by moment")
    {
        CHECK(
            issue("s", {.key = "h", .count = 2, .reference = "Held", .hold_seconds = 60}) ==
            "202-203"
        );
        run("select gapless.hold_settle(1, 0, 8, null, false, 'me')");
        CHECK(issue("s", {"again", 1, "Again"}) == "202-202");
        CHECK(issue("s", {"more", 1, "More"}) == "203-203");
        CHECK(references().ends_with("Held Again More"));
        CHECK(erase("s", "", before_now, 1) == "7");
        CHECK(references().ends_with("# # #"));
        CHECK(verify() == "gapless");
        CHECK(chain() == "t|[]");
    }

    TEST_CASE_FIXTURE(erasing, "what was answered from a reserve before a moment is erased by it")
    {
        issue("s", {.key = "h", .count = 2, .reference = "Held", .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 8, null, false, 'me')");
        auto const moment = "timestamptz '" + run("select clock_timestamp()") + "'";
        issue("s", {"again", 1, "Again"});
        issue("s", {"settled", 1, "Settled"});
        run("insert into gapless.lease_record (series_id, ordinal, count, turn, lease, "
            "answered_at) "
            "values (1, 9, 1, 2, gen_random_uuid(), " +
            moment + " - interval '1 hour')");
        CHECK(erase("s", "", moment, 1) == "6");
        CHECK(references().ends_with("# Again #"));
        CHECK(erase("s", "", moment, 1) == "null");
        CHECK(chain() == "t|[]");
    }

    TEST_CASE_FIXTURE(erasing, "what is issued after an erasure is on record keeps its reference")
    {
        issue("s", {.key = "h", .count = 2, .reference = "Held", .hold_seconds = 60});
        run("select gapless.hold_settle(1, 0, 8, null, false, 'me')");
        issue("s", {"again", 1, "Meier"});
        auto const begun = [&](std::string const& what) {
            return run("select gapless.erasure_begin('s', " + what + ", 'asked for', 'me')");
        };
        auto const step = [&](std::string const& act, std::string const& what) {
            return run(
                "select erased, more from gapless.erase_references(" + act + ", " + what + ", 100)"
            );
        };
        auto const of_text = begun("null, 'Meier'");
        issue("s", {"again and again", 1, "Meier"});
        issue("s", {"fresh", 1, "Meier"});
        CHECK(step(of_text, "'Meier', 0, 0") == "4|f");
        CHECK(references() == "# Huber - # # Held Meier # Meier");
        CHECK(erase("s", "Meier") == "2");
        CHECK(chain() == "t|[]");

        // Its transaction is open while the others are counted.
        pqxx::connection other{url()};
        pqxx::work issuing_still{other};
        execute(issuing_still, "select gapless.issue('s', 1, null, 'Open')");
        auto const of_moment = begun(std::string{before_now} + ", null");
        issuing_still.commit();
        CHECK(step(of_moment, "null, 0, 0") == "2|t");
        CHECK(step(of_moment, "null, 0, 9223372036854775807") == "0|f");
        CHECK(references() == "# # - # # # # Open # #");
        CHECK(chain() == "t|[]");
    }

    TEST_CASE_FIXTURE(erasing, "each act is one row of the audit log, without the text")
    {
        erase("s", "Meier");
        erase("s", "", before_now);
        CHECK(
            run("select actor, action, subject, after - 'before' - 'role', after ? 'before' from "
                "gapless.audit_log where action like 'reference%' order by audit_id") ==
            R"(sql:me|reference.erase|s|{"turns": "0", "reason": "asked for", "through": "7", )"
            R"("references": "3"}|f )"
            R"(sql:me|reference.erase|s|{"turns": "0", "reason": "asked for", "through": "7", )"
            R"("references": "1"}|t)"
        );
        CHECK(
            run("select gapless.erasure_begin('s', null, 'Huber', ' ', 'me')") ==
            "refused: out-of-range"
        );
        CHECK(erase("nothing", "Meier") == "refused: unknown-series");
        CHECK(
            run("select gapless.erasure_begin('s', null, null, 'r', 'me')") ==
            "refused: out-of-range"
        );
    }
}
