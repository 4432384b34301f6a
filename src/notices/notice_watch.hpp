#pragma once

#include "notices/notice_service.hpp"
#include "postgres/record_service.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace gapless {

/// How many requests wait for notices, and how often what is done for them.
struct watch_settings
{
    std::size_t waiters_max{256};  // one token has three quarters at most, while others have none
    std::chrono::milliseconds look_interval{500};    // for notices that other instances published
    std::chrono::milliseconds ring_interval{1'000};  // of each waiter
};

/// Reads each notice once for all requests that wait, while some do. I/O thread only.
class notice_watch : public notice_service
{
public:
    /// `records` outlive it. `fenced`: whether the database is.
    notice_watch(
        boost::asio::io_context& io,
        record_service& records,
        std::function<bool()> fenced,
        watch_settings const& settings = {}
    );

    result<void> add(notice_waiter& waiter) override;
    void end_waiting() override;

    /// Notices were published a moment ago: looks for them now.
    void look_soon();

    /// Requests that wait.
    std::size_t waiting() const noexcept { return waiters_.size(); }

private:
    using clock = std::chrono::steady_clock;

    boost::asio::awaitable<void> work();
    boost::asio::awaitable<bool> look();
    void begin_work(std::int64_t seen);
    void look_at_fence();
    void ring_all();
    void end_all() noexcept;

    boost::asio::io_context& io_;
    record_service& records_;
    std::function<bool()> fenced_;
    watch_settings settings_;
    notice_waiters waiters_;
    boost::asio::steady_timer pause_;
    std::int64_t last_{};  // seq: those that wait were told of everything up to there
    clock::time_point ring_due_{};
    bool working_{};
    bool soon_{};  // somebody said so while a look was under way
    bool was_fenced_{};
    bool stopped_{};
};

}  // namespace gapless
