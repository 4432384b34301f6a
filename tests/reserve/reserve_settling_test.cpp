#include "base/contract.hpp"
#include "reserve/leases.hpp"
#include "reserve/reserve_steps.hpp"

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("reserve/reserve_settling")
{
    TEST_CASE("what was settled is dropped from the front")
    {
        auto core = ready();
        for (std::uint32_t n = 1; n <= 5; ++n)
            core.draw(request_of(n), after(1s));
        core.settled(0);
        CHECK(core.unsettled().size() == 5);
        core.settled(3);
        REQUIRE(core.unsettled().size() == 2);
        CHECK(core.unsettled().front().sequence == 4);
        core.settled(3);
        CHECK(core.unsettled().size() == 2);
        core.settled(9);
        CHECK(core.unsettled().empty());
    }

    TEST_CASE("a round has the next answers of all leases, each lease's in their order")
    {
        std::deque<unsettled_answer> answers;
        for (std::uint64_t n = 1; n <= 2'500; ++n)
        {
            auto const lease = id_of(n % 2 == 0 ? 2 : 1);
            answers.push_back({n, lease, left_of(static_cast<std::int64_t>(n)).left});
        }
        auto const first = next_round(answers, 0, {}, 2'600);
        REQUIRE(first.leases.size() == 2);
        CHECK(first.leases[0].lease == id_of(1));
        CHECK(first.leases[0].records.size() == 500);
        CHECK(first.leases[0].records.back().ordinal == 999);
        CHECK(first.leases[1].sequence == 1'000);
        CHECK(first.last == 1'000);
        CHECK(first.upto == 1'000);
        auto const without = next_round(answers, 1'000, {id_of(1)}, 2'600);
        REQUIRE(without.leases.size() == 1);
        CHECK(without.leases[0].records.size() == 750);
        CHECK(without.last == 2'500);
        CHECK(without.upto == 0);
        CHECK(next_round(answers, 2'000, {}, 2'600).upto == 2'600);
        CHECK(next_round(answers, 2'500, {}, 2'600).leases.empty());
    }

    TEST_CASE("what was settled of one lease is dropped among the others")
    {
        reserve_core core{10};
        std::vector<unsettled_answer> left;
        for (std::uint64_t n = 1; n <= 6; ++n)
        {
            auto const lease = id_of(n % 2 == 0 ? 2 : 1);
            left.push_back({n, lease, left_of(static_cast<std::int64_t>(n)).left});
        }
        core.take_over(std::move(left), 7);
        CHECK(core.drawn() == 6);
        core.settled(id_of(2), 4);
        REQUIRE(core.unsettled().size() == 4);
        CHECK(core.unsettled()[1].sequence == 3);
        CHECK(core.unsettled()[3].sequence == 6);
        core.settled(id_of(1), 5);
        CHECK(core.unsettled().size() == 1);
    }

    TEST_CASE("what an earlier process left is settled, and never drawn again")
    {
        reserve_core core{10};
        auto const left = [](std::int64_t ordinal, std::int32_t count, lease_id lease) {
            auto note = left_of(ordinal);
            note.left.count = count;
            return unsettled_answer{
                static_cast<std::uint64_t>(ordinal), lease, std::move(note.left)};
        };
        core.take_over(
            {left(101, 1, id_of(1)), left(103, 2, id_of(1)), left(150, 9, id_of(2))}, 200
        );
        core.keep(grant_of(), after(0s), lease_time);
        core.renew({word_of()}, noon, after(0s));
        CHECK(core.unsettled().size() == 3);
        CHECK(core.rest(1) == 6);
        auto const got = core.draw(request_of(1), after(1s));
        CHECK(text(got) == "105-105");
        CHECK(std::get<drawn_answer>(got).sequence == 200);
        CHECK(text(core.draw(request_of(103), after(1s))) == "refused: database-unavailable");
        core.settled(150);
        CHECK(text(core.draw(request_of(103), after(1s))) == "106-106");
        CHECK_THROWS_AS(core.take_over({}, 1), contract_violation);
        core.settled(300);
        core.take_over({}, 1);
        CHECK(std::get<drawn_answer>(core.draw(request_of(4), after(1s))).sequence == 1);
    }

    TEST_CASE("the database's clock goes on with the time since boot, and never back")
    {
        auto core = ready();
        CHECK(core.database_now(after(5s)) == noon + 5s);
        auto set = after(6s);
        set.real -= 24h;
        CHECK(core.database_now(set) == noon + 6s);
        core.renew({word_of()}, noon + 2s, after(6s));
        CHECK(core.database_now(after(7s)) == noon + 6s);
        CHECK(core.database_now(after(20s)) == noon + 16s);
        core.renew({word_of()}, noon, after(5s));  // an answer that was overtaken
        CHECK(core.database_now(after(21s)) == noon + 17s);
    }
}
