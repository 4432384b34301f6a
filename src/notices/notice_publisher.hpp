#pragma once

#include "postgres/database_threads.hpp"
#include "series/series_look.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <functional>

namespace gapless {

/// The intervals of the tasks for notices.
struct publisher_settings
{
    std::chrono::milliseconds publish_interval{1'000};  // for numbering what was committed
    std::chrono::milliseconds look_interval{5'000};     // for asking whose turn it is to find more
    std::chrono::milliseconds expire_interval{60'000};  // for deleting old ones
    /// For a schema without notices, which still serves this program.
    std::chrono::milliseconds rest_interval{60'000};
};

/// Callbacks of a publisher, on the I/O thread.
struct publisher_hooks
{
    std::function<bool()> has_turn;                   // it is this instance's turn
    std::function<void()> published;                  // notices have received their seq
    std::function<void(series::series_look)> looked;  // the series that it has just read
};

/// Publishes notices: gives committed ones their seq, finds those that no transaction writes,
/// deletes old ones, in the one instance whose turn it is. On the database threads, so that issuing
/// pays nothing. I/O thread only.
class notice_publisher
{
public:
    /// The threads must outlive it.
    notice_publisher(
        boost::asio::io_context& io,
        database_threads& threads,
        publisher_hooks hooks,
        publisher_settings const& settings = {}
    );

    void start();
    void stop();

private:
    using clock = std::chrono::steady_clock;

    boost::asio::awaitable<void> work();
    boost::asio::awaitable<void> work_once();
    boost::asio::awaitable<void> publish();
    boost::asio::awaitable<void> look();
    boost::asio::awaitable<bool> is_turn_to_look();
    boost::asio::awaitable<void> expire();

    boost::asio::io_context& io_;
    database_threads& threads_;
    publisher_hooks hooks_;
    publisher_settings settings_;
    boost::asio::steady_timer timer_;
    bool stopped_{};
    bool resting_{};  // the schema has no notices
    clock::time_point look_due_{};
    clock::time_point expire_due_{};
};

}  // namespace gapless
