#include "notices/notice_watch.hpp"

#include "base/as_outcome.hpp"
#include "base/log.hpp"
#include "base/repeated_log.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <algorithm>
#include <memory>
#include <utility>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr std::int32_t notices_of_look = 200;

}  // namespace

notice_watch::notice_watch(
    asio::io_context& io,
    record_service& records,
    std::function<bool()> fenced,
    watch_settings const& settings
)
    : io_{io},
      records_{records},
      fenced_{std::move(fenced)},
      settings_{settings},
      pause_{io}
{
}

/// The last quarter of the places is for tokens that have less than a quarter of all places.
result<void> notice_watch::add(notice_waiter& waiter)
{
    if (stopped_)
    {
        waiter.end();
        return {};
    }
    auto const all = waiters_.size();
    auto const of_token = static_cast<std::size_t>(std::ranges::count(
        waiters_, waiter.who->token_id, [](auto const& each) { return each.who->token_id; }
    ));
    auto const share = std::max<std::size_t>(settings_.waiters_max / 4, 1);
    auto const full = all >= settings_.waiters_max;
    if (full || (of_token >= share && all + share >= settings_.waiters_max))
        return refusal{
            refusal_kind::overloaded,
            std::string{
                full ? "as many requests wait for notices as the service allows"
                     : "this token has its share of the requests that may wait for notices"} +
                " (notice_waiters_max); ask without wait, or later"};
    waiters_.push_back(waiter);
    begin_work(waiter.seen());
    return {};
}

void notice_watch::begin_work(std::int64_t seen)
{
    if (working_ && seen < last_)
    {
        // It read the database before the latest look, whose result it did not get.
        last_ = seen;
        look_soon();
    }
    if (std::exchange(working_, true))
        return;
    last_ = seen;
    was_fenced_ = fenced_();
    ring_due_ = clock::now() + settings_.ring_interval;
    asio::co_spawn(io_, work(), asio::detached);
}

void notice_watch::end_waiting()
{
    stopped_ = true;
    pause_.cancel();
    end_all();
}

void notice_watch::look_soon()
{
    soon_ = true;
    pause_.cancel();
}

/// Looks for notices while requests wait.
asio::awaitable<void> notice_watch::work()
{
    while (!stopped_ && !waiters_.empty())
    {
        soon_ = false;
        bool more = false;
        try
        {
            more = co_await look();
        }
        catch (std::exception const& error)
        {
            log_failure("notice_look_failed", error.what());
        }
        look_at_fence();
        ring_all();
        if (more || soon_ || stopped_)
            continue;
        pause_.expires_after(settings_.look_interval);
        co_await pause_.async_wait(as_outcome);
    }
    working_ = false;
}

/// Tells waiting requests what was published. Returns true if there is more. Without a database
/// nothing is new.
asio::awaitable<bool> notice_watch::look()
{
    auto const from = last_;
    cases::list_notices wanted{};
    wanted.page.after = from;
    wanted.page.limit = notices_of_look;
    auto found = co_await records_.read(std::move(wanted));
    if (found.has_error())
        co_return false;
    auto const published = std::make_shared<cases::notice_list const>(std::move(*found));
    auto const last = published->bounds.last;
    if (last < from)
    {
        // The database was put back to an earlier state. Clients ask again and learn of it.
        log_event(log_level::warning, "notices_went_back", {{"known", from}, {"last", last}});
        last_ = last;
        end_all();
        co_return false;
    }
    auto const more = published->notices.size() >= static_cast<std::size_t>(notices_of_look);
    auto const through = more ? published->notices.back().seq : last;
    for (auto& waiter : waiters_)
        waiter.tell(published, from, through);
    if (last_ != from)
        co_return true;  // a request added meanwhile has seen less
    last_ = through;
    co_return more;
}

/// A fence may mean that the database was put back, so clients must check their position.
void notice_watch::look_at_fence()
{
    auto const fenced = fenced_();
    if (!std::exchange(was_fenced_, fenced) && fenced)
        end_all();
}

void notice_watch::ring_all()
{
    if (clock::now() < ring_due_)
        return;
    ring_due_ = clock::now() + settings_.ring_interval;
    for (auto& waiter : waiters_)
        waiter.ring();
}

void notice_watch::end_all() noexcept
{
    for (auto& waiter : waiters_)
        waiter.end();
}

}  // namespace gapless
