#include "formats/format_store.hpp"
#include "harness/leasing.hpp"
#include "numbers/issuance_store.hpp"
#include "numbers/operations.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("reserve/lease_settle_database")
{
    TEST_CASE_FIXTURE(leasing, "what was answered is settled once, with its key and reference")
    {
        take(20);
        auto const first = settle({left(1, 2, 'a'), left(3, 1, 'b')});
        REQUIRE(first.size() == 2);
        CHECK(first[0].outcome == settle_outcome::settled);
        CHECK(first[1].outcome == settle_outcome::settled);
        CHECK(first[0].turn > 0);
        auto const again = settle({left(3, 1, 'b'), left(4, 1, 'c'), left(1, 2, 'a')});
        REQUIRE(again.size() == 3);
        CHECK(again[0].outcome == settle_outcome::known);
        CHECK(again[0].turn == first[1].turn);
        CHECK(again[1].outcome == settle_outcome::settled);
        CHECK(again[2].outcome == settle_outcome::known);
        CHECK(standing() == "20: 16 held, 4 settled, 0 returned, 0 written off, open");
        CHECK(settle({}).empty());

        auto const place =
            done([&](auto& transaction) { return find_drawn_issuance(transaction, series, 1); });
        REQUIRE(place);
        CHECK(place->turn == first[0].turn);
        CHECK_FALSE(done([&](auto& transaction) {
            return find_drawn_issuance(transaction, series, 2);
        }));
        auto const found = done([&](auto& transaction) {
            return read_issuance(transaction, {.series_id = series, .ordinal = 1, .reserve = true});
        });
        CHECK(found.series == "s");
        CHECK(state_of(found.value) == "issued");
        CHECK(found.value.reserve);
        CHECK(found.value.count() == 2);
        CHECK(found.value.reference == "order \"97\", \\");
        CHECK(found.value.issued_at == left(1, 2, 'a').answered_at);
        // The ledger is read by the moments of the answers, not by that of settling them.
        for (std::string const moment : {"answered_at", "l.issued_at"})
            CHECK(
                run("select count(*) from gapless.lease_record k join gapless.ledger l "
                    "using (series_id, turn, ordinal) cross join lateral "
                    "gapless.ledger_page(series_id, 0, 9, null, " +
                    moment + ", " + moment + ") p where p.reserve and p.ordinal = k.ordinal") ==
                (moment == "answered_at" ? "3" : "0")
            );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(leasing, "the last serials there are are settled like any others")
    {
        series = create_series("end", {{9223372036854775780, 9223372036854775806}});
        run("select gapless.series_change('end', '{\"reserve_numbers\": 5}', null, 'me')");
        issue("end", {"before", 24});
        take(3);
        CHECK(settle({left(25, 1, 'a'), left(26, 2, 'b')}).size() == 2);
        CHECK(
            run("select serial, count from gapless.lease_record join gapless.ledger "
                "using (series_id, ordinal, turn, count) order by ordinal"
            ) == "9223372036854775804|1 9223372036854775805|2"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(leasing, "a number that is on lease is in its history and takes no event")
    {
        take(3);
        auto const of =
            done([](auto& transaction) { return read_series_settings(transaction, "s").at(0); });
        auto const number = [&](std::string const& text) {
            return done([&](auto& transaction) {
                return numbers::read(transaction, {"s", text}, of);
            });
        };
        auto const leased = number("101");
        CHECK(leased.state == "held");
        REQUIRE(leased.history.size() == 1);
        CHECK(leased.history[0].kind == "leased");
        REQUIRE(leased.on_lease);
        CHECK(leased.on_lease.value.host == "packing-1");
        CHECK(leased.on_lease.value.since == leased.history[0].at);
        numbers::event_draft const printed{
            "s", numbers::event_kind::printed, {{"101", "101"}}, {}, {}};
        CHECK(refused([&](auto& transaction) {
                  return numbers::note(transaction, printed, {"me"}, of);
              }) == "on-lease");
        settle({left(2, 1, 'a')});
        auto const settled = number("101");
        CHECK(settled.state == "issued");
        CHECK(settled.history.back().kind == "issued");
        CHECK_FALSE(settled.on_lease);
    }

    TEST_CASE_FIXTURE(leasing, "a key that was spent is told, and its numbers keep a row")
    {
        take(20);
        settle({left(1, 1, 'a')});
        auto const twice = settle({left(2, 1, 'a')});
        CHECK(twice.at(0).outcome == settle_outcome::twice);
        CHECK(settle({left(2, 1, 'a')}).at(0).outcome == settle_outcome::known);
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(leasing, "who has got the id of a forgotten owner has none of his keys")
    {
        take(20);
        auto answer = left(1, 2, 'a');
        // After a restore the ids that were given out since the backup are given out again.
        answer.owner_id = created({.name = "late", .scopes = {"issue"}}).owner_id;
        answer.answered_at -= 1h;
        auto nobody = left(3, 1, 'b');
        nobody.owner_id = 99;
        CHECK(settle({answer, nobody}).at(1).outcome == settle_outcome::settled);
        CHECK(settle({answer}).at(0).outcome == settle_outcome::known);
        CHECK(
            run("select distinct o.name from gapless.lease_record k "
                "join gapless.ledger l using (series_id, turn, ordinal) "
                "join gapless.token_owner o using (owner_id)") == "lease:" + to_text(instance)
        );
        auto const asked = [&](std::int32_t by) {
            return run(
                "set transaction isolation level serializable; "
                "select r.replayed, r.ordinal from gapless.issue_requests(" +
                std::to_string(series) + ", array[2], array[" + std::to_string(by) +
                "], array['00000000-0000-0000-0000-000000000061']::uuid[], "
                "array[null], array[false], false) r"
            );
        };
        CHECK(asked(answer.owner_id) == "f|21");
        CHECK(
            run("select subject, after ->> 'owner_id', after ->> 'number', after ->> 'count' "
                "from gapless.audit_log where action = 'lease.owner_unknown' order by 2 desc"
            ) == "s|99|102|1 s|" + std::to_string(answer.owner_id) + "|100|2"
        );
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(leasing, "numbers that are not the lease's raise the fence")
    {
        take(20);
        auto const odd = settle({left(20, 2, 'a')});
        CHECK(odd.at(0).outcome == settle_outcome::fenced);
        CHECK(odd.at(0).turn == 0);
        CHECK(issue("s", {.key = "x"}) == "refused: fenced");
    }

    TEST_CASE_FIXTURE(leasing, "what is returned goes out first, and is nobody's lease")
    {
        take(20);
        settle({left(1, 5, 'a')});
        auto const give_back = [&](std::int32_t of) {
            return tried([&](auto& transaction) { return return_lease(transaction, lease, at(of)); }
            );
        };
        CHECK(give_back(incarnation + 1).error().kind == refusal_kind::state_conflict);
        CHECK(give_back(incarnation).value() == 15);
        CHECK(give_back(incarnation).value() == 0);
        CHECK(standing() == "20: 0 held, 5 settled, 15 returned, 0 written off, closed");
        CHECK(issue("s", {.key = "x"}) == "105-105");
        CHECK(verify() == "gapless");
    }

    TEST_CASE_FIXTURE(leasing, "a notice is left of what was settled")
    {
        incarnation = claim(0, make_lease_id()).incarnation;
        done([&](auto& transaction) {
            note_settled(transaction, at(incarnation), series, R"({"issued": "7"})");
            return true;
        });
        CHECK(
            run("select data ->> 'issued', data ->> 'instance' from gapless.notice "
                "where kind = 'reserve.settled'") == "7|" + to_text(instance)
        );
    }
}
