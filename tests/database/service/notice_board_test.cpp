#include "notice_bench.hpp"

#include <doctest/doctest.h>

namespace notice_board_test {

using namespace gapless;
using namespace gapless::test;
using std::chrono::milliseconds;

board_settings with_comments()
{
    auto settings = board_bench::quick();
    settings.comment_interval = milliseconds{20};
    return settings;
}

struct commented_bench : board_bench
{
    commented_bench() : board_bench{with_comments()} {}
};

board_settings small_ring()
{
    auto settings = board_bench::quick();
    settings.ring_bytes_max = 1;
    return settings;
}

struct small_bench : board_bench
{
    small_bench() : board_bench{small_ring()} {}
};

std::string numbers(int first, int last)
{
    std::string all;
    for (auto n = first; n <= last; ++n)
        all += (all.empty() ? "" : " ") + std::to_string(n);
    return all;
}

TEST_SUITE("service/notice_board")
{
    TEST_CASE_FIXTURE(board_bench, "a stream has what was there, then what comes, each once")
    {
        for (int n = 0; n < 3; ++n)
            memory.publish();
        auto& heard = follow();
        CHECK(happens([&] { return heard.events() == "1 2 3"; }));
        memory.publish();
        CHECK(happens([&] { return heard.events() == "1 2 3 4"; }));
        memory.publish();
        memory.publish();
        CHECK(happens([&] { return heard.events() == "1 2 3 4 5 6"; }));
        CHECK_FALSE(heard.ended);
    }

    TEST_CASE_FIXTURE(board_bench, "a stream begins behind the notice that its client has")
    {
        for (int n = 0; n < 5; ++n)
            memory.publish();
        auto& some = follow({.after = 3});
        auto& none = follow({.after = 5});
        CHECK(happens([&] { return some.events() == "4 5"; }));
        memory.publish();
        CHECK(happens([&] { return some.events() == "4 5 6" && none.events() == "6"; }));
    }

    TEST_CASE_FIXTURE(board_bench, "where notices are missing, the first event says so")
    {
        for (int n = 0; n < 60; ++n)
            memory.publish();
        memory.oldest = 50;
        auto& late = follow({.after = 10});
        auto& unknown = follow({.after = -1});
        auto& ahead = follow({.after = 99});
        auto const expected = "reset 50 " + numbers(50, 60);
        for (auto* client : {&late, &unknown, &ahead})
            CHECK(happens([&] { return client->events() == expected; }));
    }

    TEST_CASE_FIXTURE(board_bench, "from the beginning, or from behind the last that went, is all")
    {
        for (int n = 0; n < 60; ++n)
            memory.publish();
        memory.oldest = 50;
        auto& first = follow();
        auto& behind = follow({.after = 49});
        CHECK(happens([&] { return first.events() == numbers(50, 60); }));
        CHECK(happens([&] { return behind.events() == numbers(50, 60); }));
    }

    TEST_CASE_FIXTURE(board_bench, "thousands that were there come in order, in several pages")
    {
        for (int n = 0; n < 1'000; ++n)
            memory.publish();
        auto& heard = follow();
        CHECK(happens([&] { return heard.events() == numbers(1, 1'000); }));
        CHECK(memory.pages >= 5);
        CHECK(heard.pieces > 5);
    }

    TEST_CASE_FIXTURE(board_bench, "what comes is read once, however many streams there are")
    {
        auto& one = follow();
        auto& two = follow();
        auto& three = follow();
        CHECK(happens([&] { return board.streams() == 3 && memory.looks > 1; }));
        for (int n = 0; n < 150; ++n)
            memory.publish();
        auto const pages = memory.pages;
        board.look_soon();
        CHECK(happens([&] { return one.events() == numbers(1, 150); }));
        CHECK(happens([&] { return two.text == one.text && three.text == one.text; }));
        CHECK(one.pieces <= 5);
        go_on();
        CHECK(memory.pages == pages);
    }

    TEST_CASE_FIXTURE(board_bench, "without a stream nothing is read")
    {
        memory.publish();
        go_on();
        CHECK(memory.looks + memory.pages == 0);
        auto& heard = follow();
        CHECK(happens([&] { return heard.events() == "1"; }));
        heard.stream->end();
        CHECK(happens([&] { return heard.ended && board.streams() == 0; }));
        go_on();
        auto const looks = memory.looks;
        go_on();
        CHECK(memory.looks == looks);
        // And it begins again, with what came meanwhile.
        memory.publish();
        auto& again = follow({.after = 1});
        CHECK(happens([&] { return again.events() == "2"; }));
        memory.publish();
        CHECK(happens([&] { return again.events() == "2 3"; }));
    }

    TEST_CASE_FIXTURE(small_bench, "a stream that cannot keep up misses none")
    {
        auto& quick = follow();
        auto& slow = follow();
        memory.publish();
        CHECK(happens([&] { return slow.events() == "1" && quick.events() == "1"; }));
        slow.reads = false;
        for (int n = 0; n < 500; ++n)
            memory.publish();
        CHECK(happens([&] { return quick.events() == numbers(1, 501); }));
        slow.reads = true;
        CHECK(happens([&] { return slow.events() == numbers(1, 501); }));
    }

    TEST_CASE_FIXTURE(board_bench, "a stream has the series and the kind that are wanted")
    {
        memory.publish("series.low", "s");
        memory.publish("series.low", "t");
        auto& of_series = follow({.series = "t"});
        auto& of_kind = follow({.kind = "fence.raised"});
        CHECK(happens([&] { return of_series.events() == "2"; }));
        memory.publish("fence.raised", std::nullopt);
        memory.publish("series.low", "t");
        memory.publish("series.low", "s");
        CHECK(happens([&] { return of_series.events() == "2 4"; }));
        CHECK(happens([&] { return of_kind.events() == "3"; }));
    }

    TEST_CASE_FIXTURE(board_bench, "one stream too many is refused, and a place comes back")
    {
        auto& first = follow();
        follow();
        follow();
        auto& fourth = follow();
        CHECK(happens([&] { return fourth.refused.has_value(); }));
        CHECK(fourth.refused->kind == refusal_kind::overloaded);
        CHECK(happens([&] { return first.stream != nullptr; }));
        first.stream->end();
        CHECK(happens([&] { return board.streams() == 2; }));
        auto& fifth = follow();
        memory.publish();
        CHECK(happens([&] { return fifth.events() == "1"; }));
    }

    TEST_CASE_FIXTURE(board_bench, "a stream that is refused takes no place")
    {
        memory.refuses = refusal{refusal_kind::unknown_series, "no"};
        for (int n = 0; n < 5; ++n)
        {
            auto& heard = follow();
            CHECK(happens([&] { return heard.refused.has_value(); }));
            CHECK(heard.refused->kind == refusal_kind::unknown_series);
        }
        memory.refuses.reset();
        auto& unknown = follow({}, 99);
        CHECK(happens([&] { return unknown.refused.has_value(); }));
        CHECK(unknown.refused->kind == refusal_kind::unauthenticated);
        CHECK(board.streams() == 0);
    }

    TEST_CASE_FIXTURE(commented_bench, "in silence a comment comes, also where all is filtered")
    {
        auto& quiet = follow({.kind = "fence.raised"});
        CHECK(happens([&] { return quiet.events().starts_with("# #"); }));
        auto const end = std::chrono::steady_clock::now() + milliseconds{60};
        while (std::chrono::steady_clock::now() < end)
        {
            memory.publish();
            go_on(milliseconds{2});
        }
        CHECK(happens([&] { return quiet.events().starts_with("# # # #"); }));
    }

    TEST_CASE_FIXTURE(board_bench, "a database that was put back ends the streams")
    {
        for (int n = 0; n < 9; ++n)
            memory.publish();
        auto& heard = follow();
        CHECK(happens([&] { return heard.events() == numbers(1, 9); }));
        memory.notices.resize(4);
        CHECK(happens([&] { return heard.ended; }));
        // The client comes again with what it has, and is told.
        auto& again = follow({.after = 9});
        CHECK(happens([&] { return again.text.starts_with("event: reset"); }));
    }

    TEST_CASE_FIXTURE(board_bench, "a stop ends every stream, and there are no new ones")
    {
        auto& one = follow();
        auto& two = follow();
        CHECK(happens([&] { return memory.looks > 2; }));
        board.stop();
        CHECK(happens([&] { return one.ended && two.ended; }));
        auto& late = follow();
        CHECK(happens([&] { return late.refused.has_value(); }));
        CHECK(late.refused->kind == refusal_kind::database_unavailable);
    }
}

}  // namespace notice_board_test
