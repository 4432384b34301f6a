#pragma once

#include "store/batch_protocol.hpp"
#include "store/lane.hpp"
#include "store/lane_connection.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <deque>

/// The inside of a lane; only lane.cpp and lane_batches.cpp look at it.
namespace gapless {

namespace asio = boost::asio;
using boost::system::error_code;

/// Kept alive by every handler it starts, so that a lane can be destroyed at any time.
class lane::implementation : public std::enable_shared_from_this<implementation>
{
public:
    using clock = std::chrono::steady_clock;

    implementation(
        asio::io_context& io,
        asio::thread_pool& connectors,
        lane_settings settings,
        lane_events events
    )
        : io_{io},
          connectors_{connectors},
          settings_{std::move(settings)},
          events_{std::move(events)},
          retry_timer_{io}
    {
    }

    void connect();
    void stop();
    void lose(std::string const& why);
    void send(lane_batch batch);

    bool connected() const noexcept { return socket_ != nullptr; }
    bool contested() const noexcept { return clock::now() < contested_until_; }
    std::size_t in_flight() const noexcept { return sent_.size() - ended_; }

private:
    /// Where a batch on the wire is.
    enum class stage
    {
        locking,
        at_work,
        unlocking  // ended, as far as its sender is concerned
    };

    struct sent_batch
    {
        lane_batch batch;
        batch_end end;
        bool locks{};
        stage now{};
    };

    void adopt(lane_connection connection);
    void retry_later();
    void wait_readable();
    void wait_writable();
    void on_readable(error_code error);
    void flush();
    void drain();
    void take(result_pointer result);
    void end_batch(sent_batch& sent);
    void forget_oldest();

    asio::io_context& io_;
    asio::thread_pool& connectors_;
    lane_settings settings_;
    lane_events events_;
    asio::steady_timer retry_timer_;
    int failures_{};
    std::string accusation_;  // told to the database on the next connection; empty: none
    bool stopped_{};
    clock::time_point contested_until_{};  // another instance was met lately: lock the series

    lane_connection connection_;
    std::unique_ptr<asio::posix::stream_descriptor> socket_;  // none: not connected
    bool writing_{};
    std::deque<sent_batch> sent_;
    std::size_t
        ended_{};  // how many of sent_ (from the front) have ended and only wait for their unlock
    std::string warning_;  // the server's latest since the present statement began
    binary_parameters parameters_;
};

}  // namespace gapless
