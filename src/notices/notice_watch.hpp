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

/// How many requests may wait for notices, and the intervals of the tasks.
struct watch_settings
{
    std::size_t waiters_max{256};  // one token gets at most three quarters, even if alone
    std::chrono::milliseconds look_interval{500};    // for notices published by other instances
    std::chrono::milliseconds ring_interval{1'000};  // for ringing each waiter
};

/// Reads each notice once for all waiting requests, while there are any. I/O thread only.
class notice_watch : public notice_service
{
public:
    /// `records` must outlive it. `fenced`: whether the database is.
    notice_watch(
        boost::asio::io_context& io,
        record_service& records,
        std::function<bool()> fenced,
        watch_settings const& settings = {}
    );

    result<void> add(notice_waiter& waiter) override;
    void end_waiting() override;

    /// Notices have just been published: look for them now.
    void look_soon();

    /// Waiting requests.
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
    std::int64_t last_{};  // seq up to which waiting requests were told everything
    clock::time_point ring_due_{};
    bool working_{};
    bool soon_{};  // requested while a look was under way
    bool was_fenced_{};
    bool stopped_{};
};

}  // namespace gapless
