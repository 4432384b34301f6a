#pragma once

#include "load/answer_reader.hpp"
#include "load/options.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <chrono>
#include <functional>
#include <string>

namespace gapless::load {

using clock = std::chrono::steady_clock;

/// One request under a key that is sent once.
struct attempt
{
    std::string key;
    std::string series;
    int turn{1};
    clock::time_point due;    // when it arrived; waiting for a connection counts
    clock::time_point start;  // before its first byte is sent
    clock::time_point end;
    bool sent{};  // false: the connection was refused, nothing can have happened
    answer seen;  // status 0: none came

    /// True when sending it again tells nothing new.
    bool definite() const noexcept { return seen.status >= 200 && seen.status < 500; }
};

/// One connection, renewed when it ends; at most one request at a time. On the I/O thread.
class line
{
public:
    line(boost::asio::io_context& io, options const& told, std::string series);

    /// Sends an attempt; `done` is called once, with what came of it, never from inside.
    void send(attempt next, std::function<void(line&, attempt)> done);

    /// Calls back after a while.
    void wait(std::chrono::duration<double> time, std::function<void()> over);

private:
    void connect();
    void write();
    void read();
    void finish();

    options const& told_;
    std::string const series_;  // it always asks for the same one
    boost::asio::ip::tcp::socket socket_;
    boost::asio::steady_timer limit_;  // an answer that never comes
    boost::asio::steady_timer pause_;
    attempt current_;
    std::function<void(line&, attempt)> done_;
    std::string request_;
    std::string input_;
    std::array<char, 8'192> buffer_{};
};

}  // namespace gapless::load
