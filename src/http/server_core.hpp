#pragma once

#include "http/server.hpp"
#include "http/session.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <deque>

/// The inside of a server: server.cpp is how it begins and accepts, server_end.cpp how it ends.
namespace gapless {

/// Where connections come from.
struct listener
{
    boost::asio::ip::tcp::acceptor acceptor;
    bool handed_over{};  // others have the socket, too
};

/// What the coroutines and timers of a server share with it; outlives it by as much as they do.
struct server::core : std::enable_shared_from_this<server::core>
{
    boost::asio::io_context& io;
    std::shared_ptr<server_state> state;
    std::deque<listener> listeners;
    std::size_t accepting{};  // coroutines that have not ended
    boost::intrusive::list<session, boost::intrusive::constant_time_size<false>> sessions;
    boost::asio::steady_timer sweep_timer{io};
    boost::asio::steady_timer drain_timer{io};
    boost::asio::steady_timer grace_timer{io};
    std::function<void()> done;
    bool swept{};  // the sweep timer runs
    std::chrono::steady_clock::time_point failure_logged{};

    core(boost::asio::io_context& context, std::shared_ptr<server_state> shared)
        : io{context},
          state{std::move(shared)}
    {
    }

    boost::asio::awaitable<void> accept_from(
        std::shared_ptr<core> self, boost::asio::ip::tcp::acceptor& acceptor
    );
    bool is_full() const noexcept;
    void make_room();
    void admit(boost::asio::ip::tcp::socket socket);
    void turn_away(boost::asio::ip::tcp::socket& socket);
    void note_failure(boost::system::error_code const& why);
    void sweep_later();
    void begin_accepting(listener added);
    void stop_accepting();
    void part_from_idle();
    void end_streams();
    void end_when_empty();
    void end_stop();
    void cut_all();
};

}  // namespace gapless
