#include "base/contract.hpp"
#include "reserve/leases.hpp"

#include <vector>

namespace reserve_core_test {

using namespace gapless;
using namespace gapless::test;

std::string obstacle(reserve_core const& core, std::chrono::nanoseconds passed = 1s)
{
    return text(core.obstacle(1, after(passed)));
}

TEST_SUITE("reserve/reserve_core")
{
    TEST_CASE("numbers are drawn from the lowest on, and noted as they were answered")
    {
        auto core = ready();
        auto asked = request_of(1, 3);
        asked.reference = "order-1";
        auto const got = core.draw(asked, after(2s));
        REQUIRE(std::holds_alternative<drawn_answer>(got));
        auto const& drawn = std::get<drawn_answer>(got);
        CHECK(drawn.sequence == 1);
        CHECK(drawn.answer.series_id == 1);
        CHECK(drawn.answer.epoch == 2);
        CHECK(drawn.answer.reserve);
        CHECK_FALSE(drawn.answer.replayed);
        CHECK(drawn.answer.reference == "order-1");
        CHECK(drawn.answer.issued_at == noon + 2s);
        CHECK(
            drawn.answer.ranges ==
            std::vector<issued_range>{
                {.block_id = 3, .count = 3, .serial = 5'000, .ordinal = 101, .turn = 0}}
        );
        CHECK(drawn.note.lease == id_of(1));
        CHECK(
            drawn.note.left ==
            lease_left{
                .ordinal = 101,
                .count = 3,
                .owner_id = 7,
                .key = key_of(1),
                .reference = "order-1",
                .answered_at = noon + 2s}
        );
        REQUIRE(core.unsettled().size() == 1);
        CHECK(core.unsettled().front().left == drawn.note.left);
        CHECK(core.unsettled().front().sequence == 1);
        CHECK(text(core.draw(request_of(2), after(2s))) == "104-104");
        CHECK(core.unsettled().back().sequence == 2);
        CHECK(core.rest(1) == 6);
    }

    TEST_CASE("the last numbers are drawn, and none behind them")
    {
        auto core = ready();
        CHECK(text(core.draw(request_of(1, 9), after(1s))) == "101-109");
        CHECK(text(core.draw(request_of(2, 2), after(1s))) == "refused: database-unavailable");
        CHECK(obstacle(core) == "none");
        CHECK(text(core.draw(request_of(3, 1), after(1s))) == "110-110");
        CHECK(core.rest(1) == 0);
        CHECK(obstacle(core) == "database-unavailable");
        CHECK(text(core.draw(request_of(4, 1), after(1s))) == "refused: database-unavailable");
    }

    TEST_CASE("no more keys are drawn for than are remembered until they are settled")
    {
        reserve_core core{2};
        core.keep(grant_of(), after(0s), lease_time);
        core.renew({word_of()}, noon, after(0s));
        CHECK(text(core.draw(request_of(1), after(1s))) == "101-101");
        CHECK(text(core.draw(request_of(2), after(1s))) == "102-102");
        CHECK(text(core.draw(request_of(3), after(1s))) == "refused: database-unavailable");
        core.flushed(2);
        CHECK(text(core.draw(request_of(1), after(1s))) == "replay 101-101");
    }

    TEST_CASE("a lease is drawn on until its time is over, counted from the question")
    {
        auto core = ready();
        CHECK(obstacle(core, lease_time - 1ns) == "none");
        CHECK(obstacle(core, lease_time) == "database-unavailable");
        auto const why = core.obstacle(1, after(lease_time));
        REQUIRE(why);
        CHECK(why->detail.find("the reserve of series 1 was drawn on for its lease time") == 0);
        CHECK(why->trouble == trouble_kind::disconnected);
        CHECK(text(core.draw(request_of(1), after(lease_time))) == "refused: database-unavailable");
        core.renew({word_of()}, noon + lease_time, after(lease_time));
        CHECK(obstacle(core, 2 * lease_time - 1ns) == "none");
        auto shorter = word_of();
        shorter.draw_for = 1min;
        core.renew({shorter}, noon + lease_time, after(lease_time));
        CHECK(obstacle(core, lease_time + 1min) == "database-unavailable");
    }

    TEST_CASE("clocks that parted by more than a second are an obstacle until the next contact")
    {
        auto core = ready();
        for (auto const parted : {-1s, 0s, 1s})
        {
            auto now = after(1min);
            now.real += parted;
            CHECK(text(core.obstacle(1, now)) == "none");
        }
        for (auto const parted :
             std::vector<std::chrono::nanoseconds>{-1s - 1ns, 1s + 1ns, -24h, 24h})
        {
            auto now = after(1min);
            now.real += parted;
            CHECK(text(core.obstacle(1, now)) == "database-unavailable");
            CHECK(text(core.draw(request_of(1), now)) == "refused: database-unavailable");
        }
        auto now = after(1min);
        now.real += 5s;
        core.renew({word_of()}, noon, now);
        CHECK(text(core.obstacle(1, now)) == "none");
        CHECK(text(core.obstacle(1, after(2min))) == "database-unavailable");
        now.boot -= 1ns;
        CHECK(text(core.obstacle(1, now)) == "database-unavailable");
    }

    TEST_CASE("nothing is drawn before the database was asked, or without a lease")
    {
        reserve_core core{10};
        CHECK(obstacle(core) == "database-unavailable");
        CHECK(core.rest(1) == 0);
        CHECK(core.lease_of(1) == nullptr);
        core.keep(grant_of(), after(0s), lease_time);
        CHECK(obstacle(core) == "database-unavailable");
        core.renew({word_of()}, noon, after(0s));
        CHECK(obstacle(core) == "none");
        CHECK(text(core.obstacle(2, after(1s))) == "database-unavailable");
        REQUIRE(core.lease_of(1));
        CHECK(*core.lease_of(1) == grant_of());
    }

    TEST_CASE("what the database said of a lease holds")
    {
        struct row
        {
            std::string said;
            lease_word word;
            std::string obstacle;
            std::int64_t rest;
        };
        auto const with = [](auto change) {
            auto word = word_of();
            change(word);
            return word;
        };
        for (auto const& [said, word, expected, rest] :
             {row{"open", word_of(), "none", 10},
              row{"paused", with([](auto& one) { one.paused = true; }), "series-paused", 10},
              row{"fenced", with([](auto& one) { one.fenced = true; }), "fenced", 10},
              row{"recalled",
                  with([](auto& one) { one.status = lease_status::recalled; }),
                  "database-unavailable",
                  0},
              row{"closed",
                  with([](auto& one) { one.status = lease_status::closed; }),
                  "database-unavailable",
                  0},
              row{"lost",
                  with([](auto& one) { one.status = lease_status::lost; }),
                  "database-unavailable",
                  0},
              row{"another lease alone", word_of(2), "database-unavailable", 0}})
        {
            CAPTURE(said);
            auto core = ready();
            core.renew({word}, noon, after(0s));
            CHECK(obstacle(core) == expected);
            CHECK(core.rest(1) == rest);
            CHECK(
                text(core.draw(request_of(1), after(1s))) ==
                (expected == "none" ? "101-101" : "refused: " + expected)
            );
        }
    }

    TEST_CASE("a pause ends with the next word, a recall never")
    {
        auto core = ready();
        auto word = word_of();
        word.paused = true;
        core.renew({word}, noon, after(0s));
        core.renew({word_of()}, noon, after(0s));
        CHECK(obstacle(core) == "none");
        word = word_of();
        word.status = lease_status::recalled;
        core.renew({word}, noon, after(0s));
        core.renew({word_of()}, noon, after(0s));
        CHECK(obstacle(core) == "database-unavailable");
    }

    TEST_CASE("a lease that was granted since the database was asked is not ended by its answer")
    {
        auto core = ready();
        core.keep(grant_of(2, 201), after(2s), lease_time);
        core.renew({}, noon, after(1s));
        CHECK(obstacle(core, 3s) == "none");
        core.renew({}, noon, after(2s));
        CHECK(obstacle(core, 3s) == "database-unavailable");
    }

    TEST_CASE("of a closed lease nothing is drawn any more, what left stays until it is settled")
    {
        auto core = ready();
        core.draw(request_of(1), after(1s));
        core.close(id_of(2));
        CHECK(obstacle(core) == "none");
        core.close(id_of(1));
        CHECK(obstacle(core) == "database-unavailable");
        CHECK(core.lease_of(1) == nullptr);
        CHECK(core.unsettled().size() == 1);
        core.keep(grant_of(), after(0s), lease_time);
        core.renew({word_of()}, noon, after(0s));
        CHECK(text(core.draw(request_of(2), after(1s))) == "refused: database-unavailable");
        core.keep(grant_of(2, 201), after(0s), lease_time);
        CHECK(text(core.draw(request_of(2), after(1s))) == "201-201");
    }

    TEST_CASE("a clock of the database that was ahead is forgotten at the next contact")
    {
        auto core = ready();
        core.renew({word_of()}, noon + std::chrono::days{40}, after(1s));
        core.draw(request_of(1), after(2s));
        core.renew({word_of()}, noon, after(3s));
        CHECK(core.database_now(after(4s)) == noon + 1s);
        // A little ahead, moments wait for the clock.
        core.renew({word_of()}, noon + 30min, after(5s));
        CHECK(core.database_now(after(5s)) == noon + 30min);
        core.renew({word_of()}, noon, after(6s));
        CHECK(core.database_now(after(7s)) == noon + 30min);
    }

    TEST_CASE("a lease that is kept again goes on where it was")
    {
        auto core = ready();
        core.draw(request_of(1, 4), after(1s));
        core.settled(1);
        core.keep(grant_of(), after(10s), 1min);
        CHECK(core.rest(1) == 6);
        CHECK(text(core.draw(request_of(2), after(11s))) == "105-105");
        CHECK(obstacle(core, 70s) == "database-unavailable");
        auto other = grant_of();
        other.count = 20;
        CHECK_THROWS_AS(core.keep(other, after(10s), 1min), contract_violation);
    }
}

}  // namespace reserve_core_test
