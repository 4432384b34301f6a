#include "base/contract.hpp"
#include "reserve/leases.hpp"

namespace reserve_doubt_test {

using namespace gapless;
using namespace gapless::test;

reserve_time const now = after(0s);

refusal refused(refusal_kind kind)
{
    return {kind, "for a test"};
}

std::string const unknown{"refused: outcome-unknown"};
std::string const unavailable_now{"refused: database-unavailable"};

TEST_SUITE("reserve/reserve_doubt")
{
    TEST_CASE("nothing is drawn for a key that is with the database")
    {
        auto core = ready();
        auto const asked = request_of(1);
        core.begin_doubt(asked);
        core.begin_doubt(asked);
        CHECK(text(core.draw(asked, now)) == unknown);
        core.end_doubt(asked, refused(refusal_kind::database_unavailable));
        CHECK(text(core.draw(asked, now)) == unknown);
        auto others = asked;
        others.owner_id = 8;
        CHECK(text(core.draw(others, now)) == "101-101");
        core.end_doubt(asked, refused(refusal_kind::database_unavailable));
        CHECK(text(core.draw(asked, now)) == "102-102");
        CHECK_THROWS_AS(core.end_doubt(asked, issued_at(50)), contract_violation);
    }

    TEST_CASE("a key whose outcome nobody knows stays refused until the database has answered it")
    {
        auto core = ready();
        auto const asked = request_of(1);
        core.begin_doubt(asked);
        core.end_doubt(asked, refused(refusal_kind::outcome_unknown));
        CHECK(text(core.draw(asked, now)) == unknown);
        auto held = asked;
        held.hold_seconds = 60;
        CHECK(text(core.draw(held, now)) == unknown);

        // The database is back and away again; what it refuses does not tell what became of the
        // first request, not even that another one has spent the key.
        core.renew({word_of()}, noon, after(1s));
        for (auto const kind :
             {refusal_kind::database_unavailable,
              refusal_kind::series_exhausted,
              refusal_kind::idempotency_key_reused})
        {
            core.begin_doubt(asked);
            core.end_doubt(asked, refused(kind));
            CHECK(text(core.draw(asked, after(1s))) == unknown);
        }
        core.begin_doubt(asked);
        core.end_doubt(asked, issued_at(50));
        CHECK(text(core.draw(asked, after(1s))) == unavailable_now);
    }

    TEST_CASE("nothing is drawn any more once a key in doubt cannot be remembered")
    {
        reserve_core core{2};
        core.keep(grant_of(), now, lease_time);
        core.renew({word_of()}, noon, now);
        auto const doubt = [&](std::uint32_t key, result<issuance> const& outcome) {
            core.begin_doubt(request_of(key));
            core.end_doubt(request_of(key), outcome);
        };
        doubt(1, refused(refusal_kind::outcome_unknown));
        doubt(2, refused(refusal_kind::outcome_unknown));
        doubt(2, refused(refusal_kind::outcome_unknown));
        CHECK(text(core.draw(request_of(9), now)) == "101-101");
        doubt(2, issued_at(50));
        doubt(3, refused(refusal_kind::outcome_unknown));
        CHECK(text(core.obstacle(1, now)) == "none");
        doubt(4, refused(refusal_kind::outcome_unknown));
        CHECK(text(core.obstacle(1, now)) == "database-unavailable");
        CHECK(text(core.draw(request_of(4), now)) == unavailable_now);
        CHECK(text(core.draw(request_of(3), now)) == unknown);
        CHECK(text(core.draw(request_of(10), now)) == unavailable_now);
    }

    TEST_CASE("a key that the database answered is neither drawn nor repeated")
    {
        auto core = ready();
        core.begin_doubt(request_of(1, 2));
        core.end_doubt(request_of(1, 2), issued_at(50, 2));
        CHECK(text(core.draw(request_of(1, 2), now)) == unavailable_now);
        CHECK(text(core.draw(request_of(1, 3), now)) == "refused: idempotency-key-reused");
        auto held = request_of(2);
        held.hold_seconds = 60;
        core.begin_doubt(held);
        core.end_doubt(held, issued_at(52));
        CHECK(text(core.draw(held, now)) == unavailable_now);
        CHECK(core.unsettled().empty());
    }

    TEST_CASE("what is not plain is left to the database")
    {
        auto core = ready();
        auto held = request_of(1);
        held.hold_seconds = 60;
        CHECK(text(core.draw(held, now)) == unavailable_now);
        auto whole = request_of(2, 2);
        whole.contiguous = true;
        CHECK(text(core.draw(whole, now)) == unavailable_now);
        CHECK(core.rest(1) == 10);
    }

    TEST_CASE("a drawn key is repeated once its record is on the disk")
    {
        auto core = ready();
        CHECK(text(core.draw(request_of(1, 2), now)) == "101-102");
        CHECK(text(core.draw(request_of(2), now)) == "103-103");
        CHECK(text(core.draw(request_of(1, 2), now)) == unknown);
        core.flushed(1);
        CHECK(text(core.draw(request_of(1, 2), now)) == "replay 101-102");
        CHECK(text(core.draw(request_of(2), now)) == unknown);
        core.flushed(2);
        core.flushed(1);
        CHECK(text(core.draw(request_of(2), now)) == "replay 103-103");
        CHECK(text(core.draw(request_of(1, 1), now)) == "refused: idempotency-key-reused");
        CHECK(core.unsettled().size() == 2);
    }

    TEST_CASE("a repeated key needs no reserve any more")
    {
        auto core = ready();
        core.draw(request_of(1), now);
        core.flushed(1);
        core.close(id_of(1));
        CHECK(text(core.draw(request_of(1), now)) == "replay 101-101");
    }

    TEST_CASE("a journal that cannot be written ends drawing, and its group stays in doubt")
    {
        auto core = ready();
        core.draw(request_of(1), now);
        core.flushed(1);
        core.draw(request_of(2), now);
        core.note_journal("journal of leases x: No space left on device");
        CHECK(text(core.obstacle(1, now)) == "database-unavailable");
        CHECK(core.obstacle(1, now)->detail.find("No space left") != std::string::npos);
        CHECK(text(core.draw(request_of(3), now)) == unavailable_now);
        CHECK(text(core.draw(request_of(1), now)) == "replay 101-101");
        CHECK(text(core.draw(request_of(2), now)) == unknown);
        CHECK(core.unsettled().size() == 2);

        // The next file knows nothing of it.
        core.note_journal("");
        CHECK(text(core.draw(request_of(3), now)) == "103-103");
        core.flushed(3);
        CHECK(text(core.draw(request_of(2), now)) == unknown);
        CHECK(text(core.draw(request_of(3), now)) == "replay 103-103");
        core.settled(2);
        CHECK(text(core.draw(request_of(2), now)) == unavailable_now);
    }

    TEST_CASE("what is settled is not repeated from memory: the database knows what became of it")
    {
        auto core = ready();
        core.draw(request_of(1), now);
        CHECK(text(core.draw(request_of(1), now)) == unknown);
        core.settled(1);
        CHECK(text(core.draw(request_of(1), now)) == unavailable_now);
    }
}

}  // namespace reserve_doubt_test
