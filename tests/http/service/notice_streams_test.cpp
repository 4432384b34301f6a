#include "clerk_fixture.hpp"
#include "stream_client.hpp"

#include <doctest/doctest.h>

#include <charconv>
#include <chrono>
#include <cstdint>
#include <memory>

namespace notice_streams_test {

using namespace gapless::test;

struct streams_bench : clerk_bench
{
    stream_client follow(
        std::string const& token, std::string const& query = {}, std::string const& last = {}
    )
    {
        return {instance(0).address(), token, query, last};
    }

    /// The seq of the last notice, once both series have told of the block they were loaded with.
    std::int64_t latest()
    {
        std::int64_t last = 0;
        CHECK(eventually([&] {
            auto const text = run("select last from gapless.notice_bounds()");
            std::from_chars(text.data(), text.data() + text.size(), last);
            return last == 2;
        }));
        return last;
    }

    /// Has a notice written: series.paused.
    void pause(std::string const& series)
    {
        for (auto const paused : {false, true})
            json_of(
                ask("PATCH", "/v1/series/" + series, boss, json_value{{"paused", paused}}.dump()),
                200
            );
    }
};

struct two_streams_bench : database_bench
{
    two_streams_bench() { start_instances(1, {"--notice-streams-max=2"}); }
};

TEST_SUITE("process/notice_streams")
{
    TEST_CASE_FIXTURE(streams_bench, "a stream has all that was published, then what comes")
    {
        auto const there = latest();
        auto stream = follow(boss);
        CHECK(stream.status() == 200);
        for (std::int64_t seq = 1; seq <= there; ++seq)
            CHECK(stream.next().starts_with(std::to_string(seq) + " "));
        pause("s");
        CHECK(stream.next() == std::to_string(there + 1) + " series.paused s");
        CHECK(stream.record["text"]["de"] == "s: angehalten von token:boss");
        pause("t");
        CHECK(stream.next() == std::to_string(there + 2) + " series.paused t");
    }

    TEST_CASE_FIXTURE(streams_bench, "a client that comes back misses none, at any instance")
    {
        auto const last = latest();
        auto const next = last + 1;
        {
            auto stream = follow(boss, "?after=" + std::to_string(last));
            pause("s");
            CHECK(stream.next() == std::to_string(next) + " series.paused s");
        }
        pause("t");
        kill_and_restart(0);
        auto again = follow(boss, "?after=" + std::to_string(last), std::to_string(next));
        CHECK(again.next() == std::to_string(next + 1) + " series.paused t");
    }

    TEST_CASE_FIXTURE(streams_bench, "a client whose last event nobody knows is told")
    {
        latest();
        auto stream = follow(boss, "", "4711");
        CHECK(stream.next() == "reset 1");
        CHECK(stream.next() == "1 block.loaded s");
        run("select gapless.notices_expire('0 seconds', 1)");
        CHECK(follow(boss, "?after=1").next().starts_with("2 "));
        auto late = follow(boss, "", "x");
        CHECK(late.next() == "reset 2");
        CHECK(late.next().starts_with("2 "));
    }

    TEST_CASE_FIXTURE(streams_bench, "a token that is revoked ends its stream within seconds")
    {
        auto const reader = create_token("r", {.scopes = {"read"}}).token;
        auto stream = follow(reader);
        CHECK(stream.status() == 200);
        auto const tokens = json_of(get("/v1/tokens", boss), 200)["items"];
        auto const id = tokens.back()["id"].text();
        CHECK(ask("DELETE", "/v1/tokens/" + id, boss).status == 204);
        CHECK(stream.ends(std::chrono::seconds{10}));
        CHECK(follow(reader).status() == 401);
    }

    TEST_CASE_FIXTURE(two_streams_bench, "as many streams as are set, and a place comes back")
    {
        auto const token = create_token("r", {.scopes = {"read"}}).token;
        auto const address = instance(0).address();
        auto first = std::make_unique<stream_client>(address, token);
        stream_client const second{address, token};
        CHECK(first->status() == 200);
        CHECK(second.status() == 200);
        CHECK(stream_client{address, token}.status() == 503);
        first.reset();
        CHECK(eventually([&] { return stream_client{address, token}.status() == 200; }));
    }

    TEST_CASE_FIXTURE(streams_bench, "a stream ends when the service is told to stop")
    {
        auto stream = follow(boss);
        CHECK(stream.status() == 200);
        instance(0).send(SIGTERM);
        CHECK(stream.ends(std::chrono::seconds{5}));
    }
}

}  // namespace notice_streams_test
