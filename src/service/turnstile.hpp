#pragma once

#include "service/as_outcome.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <deque>

namespace gapless {

/// Lets those who wait through one by one, each in a turn of its own on the I/O thread: whatever
/// else is ready comes in between. For work that has time, beside issuing. I/O thread only; what
/// waits in it is gone before it is.
class turnstile
{
public:
    explicit turnstile(boost::asio::io_context& io) : io_{io} {}

    /// Waits for a turn.
    boost::asio::awaitable<void> pass()
    {
        boost::asio::steady_timer place{io_, boost::asio::steady_timer::time_point::max()};
        waiting_.push_back(&place);
        if (waiting_.size() == 1)
            turn_later();
        co_await place.async_wait(as_outcome);
    }

private:
    void turn_later()
    {
        boost::asio::post(io_, [this] {
            waiting_.front()->cancel();
            waiting_.pop_front();
            if (!waiting_.empty())
                turn_later();
        });
    }

    boost::asio::io_context& io_;
    std::deque<boost::asio::steady_timer*> waiting_;
};

}  // namespace gapless
