#pragma once

#include "store/batch_protocol.hpp"
#include "store/lane.hpp"
#include "store/lane_connection.hpp"
#include "store/lane_wire.hpp"

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
        asio::thread_pool& connector,
        lane_settings settings,
        lane_events events
    )
        : io_{io},
          connector_{connector},
          settings_{std::move(settings)},
          events_{std::move(events)},
          retry_timer_{io},
          watch_timer_{io}
    {
    }

    ~implementation() { forget_connection(); }
    implementation(implementation const&) = delete;
    implementation& operator=(implementation const&) = delete;

    void connect();
    void stop();
    void lose(std::string const& why);
    void accuse(std::string const& why);
    void send(lane_batch batch);

    bool connected() const noexcept { return socket_ != nullptr; }
    std::string const& server() const noexcept { return connection_.server; }
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
        bool lock_timed_out{};
        stage now{};
    };

    void open_connection(std::string const& accusation) noexcept;
    void watch_set_up();
    void adopt(lane_connection connection);
    bool stand_up(lane_connection connection);
    void forget_connection() noexcept;
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
    asio::thread_pool& connector_;  // belongs to the lane, which waits for it
    lane_settings settings_;
    lane_events events_;
    asio::steady_timer retry_timer_;
    asio::steady_timer watch_timer_;
    set_up_watch watch_;
    bool connecting_{};
    bool outdated_{};  // what is being set up is to be thrown away
    int failures_{};
    std::string accusation_;  // told to the database on the next connection; empty: none
    bool stopped_{};

    lane_connection connection_;
    std::unique_ptr<lane_wire> wire_;  // of the connection; none: not connected
    // None: not connected. The descriptor is libpq's, which closes it.
    std::unique_ptr<asio::posix::stream_descriptor> socket_;
    bool writing_{};
    std::deque<sent_batch> sent_;
    std::size_t
        ended_{};  // how many of sent_ (from the front) have ended and only wait for their unlock
    std::string warning_;  // the server's latest since the present statement began
    binary_parameters parameters_;
};

}  // namespace gapless
