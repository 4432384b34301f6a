#include "notice_bench.hpp"

#include <doctest/doctest.h>

using namespace gapless;
using namespace gapless::test;

TEST_SUITE("service/notice_reach")
{
    TEST_CASE_FIXTURE(board_bench, "a token for some series sees no other's notices")
    {
        memory.tokens[2] = {.token_id = 2, .series = {{"s"}}, .whole = false};
        memory.tokens[3] = {.token_id = 3, .series = std::nullopt, .whole = false};
        auto& bound = follow({}, 2);
        auto& reader = follow({}, 3);
        auto& whole = follow({}, 1);
        CHECK(happens([&] { return board.streams() == 3 && memory.looks > 1; }));
        memory.publish("series.low", "t");
        memory.publish("series.low", "s");
        memory.publish("fence.raised", std::nullopt);
        CHECK(happens([&] { return whole.events() == "1 2 3"; }));
        CHECK(happens([&] { return reader.events() == "1 2"; }));
        CHECK(happens([&] { return bound.events() == "2"; }));
    }

    TEST_CASE_FIXTURE(board_bench, "a token that is revoked ends its streams, and no other")
    {
        memory.tokens[2] = {.token_id = 2, .series = std::nullopt, .whole = true};
        auto& revoked = follow({}, 2);
        auto& stays = follow({}, 1);
        CHECK(happens([&] { return memory.reach_reads > 2; }));
        CHECK_FALSE(revoked.ended);
        memory.tokens.erase(2);
        CHECK(happens([&] { return revoked.ended; }));
        memory.publish();
        CHECK(happens([&] { return stays.events() == "1"; }));
        CHECK(revoked.events() == "");
        CHECK(board.streams() == 1);
    }

    TEST_CASE_FIXTURE(board_bench, "what a token may see is asked again while its stream is open")
    {
        auto& heard = follow();
        CHECK(happens([&] { return board.streams() == 1 && memory.looks > 1; }));
        memory.tokens[1].series = {{"t"}};
        memory.tokens[1].whole = false;
        auto const asked = memory.reach_reads;
        CHECK(happens([&] { return memory.reach_reads > asked + 1; }));
        memory.publish("series.low", "s");
        memory.publish("series.low", "t");
        CHECK(happens([&] { return heard.events() == "2"; }));
    }

    TEST_CASE_FIXTURE(board_bench, "a stream that begins while others are asked about stays")
    {
        memory.tokens[2] = {.token_id = 2, .series = std::nullopt, .whole = true};
        follow();
        CHECK(happens([&] { return memory.reach_reads > 1; }));
        memory.holds_reach = true;
        CHECK(happens([&] { return memory.held_reach; }));
        auto& fresh = follow({}, 2);
        CHECK(happens([&] { return fresh.stream != nullptr; }));
        memory.holds_reach = false;
        go_on();
        memory.publish();
        CHECK(happens([&] { return fresh.events() == "1"; }));
        CHECK_FALSE(fresh.ended);
    }

    TEST_CASE_FIXTURE(board_bench, "while the database is away a stream waits, then misses none")
    {
        auto& heard = follow();
        memory.publish();
        CHECK(happens([&] { return heard.events() == "1"; }));
        memory.refuses = refusal{refusal_kind::database_unavailable, "away"};
        memory.publish();
        memory.publish();
        go_on();
        CHECK_FALSE(heard.ended);
        CHECK(heard.events() == "1");
        memory.refuses.reset();
        CHECK(happens([&] { return heard.events() == "1 2 3"; }));
    }

    TEST_CASE_FIXTURE(board_bench, "so does a stream that has much to catch up on")
    {
        for (int n = 0; n < 600; ++n)
            memory.publish();
        auto& heard = follow();
        heard.reads = false;
        CHECK(happens([&] { return heard.stream != nullptr; }));
        memory.refuses = refusal{refusal_kind::database_unavailable, "away"};
        heard.reads = true;
        go_on();
        CHECK_FALSE(heard.ended);
        CHECK(heard.events().ends_with(" 200"));
        memory.refuses.reset();
        CHECK(happens([&] { return heard.events().ends_with(" 600"); }));
    }
}
