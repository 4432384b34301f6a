#include "notices/notice_watch.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <doctest/doctest.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace notice_watch_test {

using namespace gapless;
using std::chrono::milliseconds;
namespace asio = boost::asio;

/// Notices in memory, read as a database would have them read.
class notice_memory : public record_service
{
public:
    explicit notice_memory(asio::io_context& io) : io_{io} {}

    std::vector<cases::told_notice> notices;
    bool away{};
    bool holds{};  // a look does not end, as long as it is
    int looks{};

    void publish(std::optional<std::string> series = "s", std::string kind = "series.low")
    {
        notices.push_back({last() + 1, std::move(series), std::move(kind), {}});
    }

    std::int64_t last() const { return notices.empty() ? 0 : notices.back().seq; }

    std::optional<database_time> acted_at(std::int32_t, idempotency_key const&) const override
    {
        return std::nullopt;
    }

private:
    void note_act(std::int32_t, idempotency_key const&) override {}

    asio::awaitable<result<any_answer>> run(job work) override
    {
        auto const page = std::any_cast<cases::list_notices const&>(work.wanted).page;
        ++looks;
        cases::notice_list found{.bounds = {.oldest = 1, .last = last()}, .notices = {}};
        for (auto const& each : notices)
            if (each.seq > page.after &&
                found.notices.size() < static_cast<std::size_t>(page.limit))
                found.notices.push_back(each);
        do
            co_await asio::post(io_, asio::use_awaitable);
        while (holds);
        if (away)
            co_return refusal{refusal_kind::database_unavailable, "away"};
        co_return any_answer::of(std::move(found));
    }

    asio::io_context& io_;
};

/// A request that waits.
struct waiting
{
    std::unique_ptr<notice_waiter> waiter;  // null: it waits no more
    bool refused{};
    int wakes{};
    std::string told{};  // "3 4": the seqs of what it wants
};

struct bench
{
    /// Of one that has seen everything that is there.
    static notice_page up_to_date() { return {.after = -1}; }

    static watch_settings quick()
    {
        return {
            .waiters_max = 4,
            .look_interval = milliseconds{2},
            .ring_interval = milliseconds{60'000}};
    }

    explicit bench(watch_settings const& settings = quick())
        : watch{io, memory, [this] { return fenced; }, settings}
    {
    }

    waiting& wait(
        notice_page page = up_to_date(),
        principal const& who = {.token_id = 1, .scopes = 15},
        milliseconds time = milliseconds{60'000}
    )
    {
        if (page.after < 0)
            page.after = memory.last();
        auto& added = all.emplace_back();
        added.waiter = std::make_unique<notice_waiter>(
            io.get_executor(),
            std::move(page),
            std::make_shared<principal const>(who),
            notice_waiter::clock::now() + time
        );
        added.refused = watch.add(*added.waiter).has_error();
        if (added.refused)
            added.waiter.reset();
        else
            asio::co_spawn(io, run(added), asio::detached);
        return added;
    }

    static asio::awaitable<void> run(waiting& each)
    {
        while (!each.waiter->is_over())
        {
            co_await each.waiter->wait();
            ++each.wakes;
        }
        if (each.waiter->told())
            for (auto const& notice : each.waiter->told()->notices)
                if (each.waiter->wants(notice))
                    each.told += (each.told.empty() ? "" : " ") + std::to_string(notice.seq);
        each.waiter.reset();
    }

    template <class Condition>
    bool happens(Condition const& condition)
    {
        auto const end = std::chrono::steady_clock::now() + std::chrono::seconds{5};
        while (!condition() && std::chrono::steady_clock::now() < end)
        {
            io.restart();
            io.run_for(milliseconds{1});
        }
        return condition();
    }

    bool ends(waiting const& each)
    {
        return happens([&] { return !each.waiter; });
    }

    /// Lets it look for so many times more.
    void look(int times)
    {
        auto const enough = memory.looks + times;
        CHECK(happens([&] { return memory.looks >= enough; }));
    }

    asio::io_context io;
    notice_memory memory{io};
    bool fenced{};
    notice_watch watch;
    std::deque<waiting> all;
};

struct ringing_bench : bench
{
    ringing_bench() : bench{{.look_interval = milliseconds{2}, .ring_interval = milliseconds{4}}} {}
};

struct slow_bench : bench
{
    slow_bench() : bench{{.look_interval = milliseconds{60'000}}} {}
};

TEST_SUITE("notices/notice_watch_database")
{
    TEST_CASE_FIXTURE(bench, "who waits is told of what comes, and it is read once for all")
    {
        memory.publish();
        auto& one = wait();
        auto& other = wait();
        look(2);
        CHECK(one.waiter);
        auto const before = memory.looks;
        memory.publish();
        memory.publish();
        CHECK(ends(one));
        CHECK(ends(other));
        CHECK(one.told == "2 3");
        CHECK(other.told == "2 3");
        CHECK(memory.looks <= before + 2);
    }

    TEST_CASE_FIXTURE(slow_bench, "what this instance published is looked for at once")
    {
        auto& one = wait();
        look(1);
        memory.publish();
        watch.look_soon();
        CHECK(ends(one));
        CHECK(one.told == "1");
    }

    TEST_CASE_FIXTURE(
        slow_bench, "what was published between a client's reading and its waiting is told"
    )
    {
        auto& first = wait({.after = 0, .kind = "fence.raised"});
        memory.publish();
        memory.publish();
        look(1);
        watch.look_soon();
        look(1);
        CHECK(first.waiter);
        // The watch is at 2; this one has read up to 1.
        auto& late = wait({.after = 1});
        CHECK(ends(late));
        CHECK(late.told == "2");
        // The same while a look is under way that began behind it.
        memory.holds = true;
        watch.look_soon();
        look(1);
        auto& later = wait({.after = 0});
        memory.holds = false;
        CHECK(ends(later));
        CHECK(later.told == "1 2");
        CHECK(first.waiter);
    }

    TEST_CASE_FIXTURE(bench, "what a client does not want, or its token not see, wakes it not")
    {
        auto& of_kind = wait({.after = 0, .kind = "fence.raised"});
        auto& of_series = wait({.after = 0, .series = "t"});
        auto& bound = wait(up_to_date(), {.token_id = 2, .scopes = 15, .series = {{"t"}}});
        auto& reader = wait(up_to_date(), {.token_id = 3, .scopes = 2});
        memory.publish("s");
        CHECK(ends(reader));
        CHECK(reader.told == "1");
        auto& other = wait(up_to_date(), {.token_id = 3, .scopes = 2});
        memory.publish(std::nullopt, "fence.raised");
        CHECK(ends(of_kind));
        CHECK(of_kind.told == "2");
        look(2);
        CHECK(of_series.wakes + bound.wakes + other.wakes == 0);
        memory.publish("t");
        CHECK(ends(of_series));
        CHECK(ends(bound));
        CHECK(of_series.told == "3");
        CHECK(bound.told == "3");
    }

    TEST_CASE_FIXTURE(bench, "one is told of what it wants, however much comes before it")
    {
        auto& one = wait({.after = 0, .series = "t"});
        for (int n = 0; n < 500; ++n)
            memory.publish("s");
        memory.publish("t");
        CHECK(ends(one));
        CHECK(one.told == "501");
    }

    TEST_CASE_FIXTURE(bench, "nobody waits beyond its time, and without anybody nothing is read")
    {
        auto& one = wait(up_to_date(), {.token_id = 1}, milliseconds{10});
        CHECK(ends(one));
        CHECK(one.told == "");
        CHECK(watch.waiting() == 0);
        look(0);
        io.restart();
        io.run();  // until there is nothing left to do
        auto const looks = memory.looks;
        memory.publish();
        CHECK(memory.looks == looks);
        // And it begins again.
        auto& again = wait({.after = 0});
        CHECK(ends(again));
        CHECK(again.told == "1");
    }

    TEST_CASE_FIXTURE(bench, "one token cannot have every place, and a place comes back")
    {
        auto& first = wait();
        CHECK_FALSE(wait().refused);
        CHECK_FALSE(wait().refused);
        CHECK(wait().refused);
        CHECK_FALSE(wait({.after = 0}, {.token_id = 2}).refused);
        CHECK(wait({.after = 0}, {.token_id = 3}).refused);
        first.waiter->end();
        CHECK(ends(first));
        CHECK(wait().refused);
        CHECK_FALSE(wait({.after = 0}, {.token_id = 3}).refused);
    }

    TEST_CASE_FIXTURE(ringing_bench, "who waits is rung now and then, to look at its token")
    {
        auto& one = wait();
        CHECK(happens([&] { return one.wakes >= 3; }));
        CHECK(one.waiter);
    }

    TEST_CASE_FIXTURE(bench, "when the service stops nobody waits any more")
    {
        auto& one = wait();
        look(1);
        watch.end_waiting();
        CHECK(ends(one));
        CHECK(one.told == "");
        CHECK(ends(wait()));
    }

    TEST_CASE_FIXTURE(bench, "a fence ends the waiting once; while it stands, requests wait")
    {
        auto& one = wait();
        look(2);
        CHECK(one.waiter);
        fenced = true;
        CHECK(ends(one));
        auto& next = wait();
        look(3);
        CHECK(next.waiter);
        memory.publish(std::nullopt, "fence.raised");
        CHECK(ends(next));
        CHECK(next.told == "1");
    }

    TEST_CASE_FIXTURE(bench, "a database that was put back ends the waiting")
    {
        memory.publish();
        memory.publish();
        auto& one = wait();
        look(2);
        memory.notices.pop_back();
        CHECK(ends(one));
        CHECK(one.told == "");
        auto& next = wait();
        memory.publish();
        CHECK(ends(next));
        CHECK(next.told == "2");
    }

    TEST_CASE_FIXTURE(bench, "while the database is away one waits, and then misses none")
    {
        auto& one = wait();
        look(1);
        memory.away = true;
        memory.publish();
        look(3);
        CHECK(one.waiter);
        memory.away = false;
        CHECK(ends(one));
        CHECK(one.told == "1");
    }
}

}  // namespace notice_watch_test
