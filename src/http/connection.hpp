#pragma once

#include "http/answer_writer.hpp"
#include "http/client_wire.hpp"
#include "http/connection_clock.hpp"
#include "http/exchange.hpp"
#include "http/request_reader.hpp"
#include "http/server_state.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>

namespace gapless {

/// One connection: reads a request, has it answered, writes the answer, and repeats, strictly in
/// this order. A client that leaves while its request runs does not stop the request, but its
/// connection ends: at once if it was reset, a moment after the client ended its side, since HTTP
/// allows that to a client that still reads.
///
/// It acts, its parts decide: request_reader cuts bytes into requests, answer_writer an answer into
/// bytes, connection_clock tells who is late, client_wire moves bytes. I/O thread only.
class http_connection : public std::enable_shared_from_this<http_connection>, public connection_hook
{
public:
    http_connection(boost::asio::ip::tcp::socket socket, std::shared_ptr<server_state> state);
    ~http_connection();
    http_connection(http_connection const&) = delete;
    http_connection& operator=(http_connection const&) = delete;

    /// Starts serving; the coroutine keeps the connection alive.
    void start();

    /// Checks the deadline of the current phase: a request that takes too long to arrive is
    /// answered with 408, a client that does not read is cut off.
    void look_at_deadline();

    /// Closes if the client has ended its side while its request runs: most likely it is gone.
    /// Returns false otherwise.
    bool make_room();

    /// The sweep since which it waits for a request, of which nothing has arrived; nullopt: it does
    /// not.
    std::optional<std::uint64_t> waits_since();

    /// Called when a stopping server has waited long enough: ends a connection that waits for a
    /// request, unless bytes of one have arrived. Any other ends after its answer.
    void part_when_idle();

    /// Closes at once, whatever is under way.
    void cut() { close(); }

private:
    using phase = connection_clock::phase;

    static boost::asio::awaitable<void> run(std::shared_ptr<http_connection> self);
    boost::asio::awaitable<bool> begin_tls();
    boost::asio::awaitable<bool> receive_late_body();
    boost::asio::awaitable<bool> receive_chunks();
    boost::asio::awaitable<void> answer_request();
    boost::asio::awaitable<bool> send_answer();
    boost::asio::awaitable<void> linger(phase how);

    bool find_head();
    void begin_request();
    bool take_head();
    void end_of_input();
    void begin_answer();
    void end_request();
    void give_up(fault const& why);
    void fail(std::exception const& why);
    void enter(phase next) noexcept { clock_.enter(next, state_->sweep); }
    void depart() noexcept;
    void close() noexcept;

    std::shared_ptr<server_state> state_;
    client_wire wire_;
    request_reader reader_;
    answer_writer writer_;
    connection_clock clock_;
    exchange current_;
    bool counted_{true};                             // among the open connections
    bool begun_{};                                   // bytes of the current request have arrived
    bool closing_{};                                 // the answer being made is the last
    bool parting_{};                                 // accepts no further request
    std::uint64_t requests_{};                       // begun on this connection
    std::chrono::steady_clock::time_point began_{};  // the current request; only if logged
};

}  // namespace gapless
