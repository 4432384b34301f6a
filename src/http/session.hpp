#pragma once

#include "http/client_socket.hpp"
#include "http/exchange.hpp"
#include "http/head_scanner.hpp"
#include "http/input_buffer.hpp"
#include "http/server_state.hpp"
#include "http/tls.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>

namespace gapless {

/// One connection: reads a request, has it answered, writes the answer, and again, strictly in this
/// order. A client that goes away while its request runs does not stop the request, but its
/// connection ends: at once when it was reset, a moment after the client ended its side, for HTTP
/// allows that to a client that still reads. I/O thread only.
class session : public std::enable_shared_from_this<session>, public session_hook
{
public:
    session(boost::asio::ip::tcp::socket socket, std::shared_ptr<server_state> state);
    ~session();
    session(session const&) = delete;
    session& operator=(session const&) = delete;

    /// Begins to serve; the coroutine keeps the session alive.
    void start();

    /// Looks at the deadline of the present phase: a request that takes too long to arrive is
    /// answered with 408, a client that does not read is cut off.
    void look_at_deadline();

    /// Closes, if the client has said that it will send nothing more while its request runs: most
    /// likely it is gone. False: it is there.
    bool make_room();

    /// The server stops: closes a session that waits for a request; any other closes after its
    /// answer.
    void close_when_idle();

    /// Closes at once, whatever is going on.
    void cut();

private:
    enum class phase
    {
        idle = 1,   // waiting for the first byte of a request
        handshake,  // of TLS
        header,
        body,
        running,  // bounded by the service, not here
        writing,
        lingering,  // answered for the last time; reads away what still comes
    };

    static boost::asio::awaitable<void> run(std::shared_ptr<session> self);
    boost::asio::awaitable<std::size_t> receive(boost::asio::mutable_buffer room);
    boost::asio::awaitable<std::size_t> receive_raw(boost::asio::mutable_buffer room);
    boost::asio::awaitable<bool> receive_body();
    boost::asio::awaitable<void> send_go_on();
    boost::asio::awaitable<void> answer_request();
    boost::asio::awaitable<bool> send_rest(std::size_t sent);
    boost::asio::awaitable<bool> send_answer();
    boost::asio::awaitable<void> linger();

    // What TLS adds; session_tls.cpp.
    boost::asio::awaitable<bool> shake_hands();
    boost::asio::awaitable<std::size_t> receive_sealed(boost::asio::mutable_buffer room);
    boost::asio::awaitable<void> part();
    void seal_output();
    void note_failed_handshake(boost::asio::ip::tcp::endpoint const& client, bool heard_something);
    void say_goodbye() noexcept;

    void enter(phase next) noexcept;
    void look_for_client();
    void depart() noexcept;
    void close() noexcept;

    // The steps of one request; session_request.cpp.
    bool find_head();
    bool take_head();
    result<bool> decide();
    bool leaves_body_unread(bool refused) const noexcept;
    std::uint64_t request_bytes() const noexcept;
    void end_of_input();
    void begin_answer();
    std::array<boost::asio::const_buffer, 2> output_parts() const noexcept;
    std::size_t output_bytes() const noexcept;
    std::size_t send_at_once();
    bool next_piece();
    void cut_piece(std::string_view body) noexcept;
    void count_and_log();
    void end_request();
    void give_up(fault const& why);
    void fail(std::exception const& why);

    client_socket socket_;
    std::shared_ptr<server_state> state_;
    std::unique_ptr<tls_channel> tls_;  // null: plain, or TLS has ended
    exchange current_;
    head_scanner scanner_;
    input_buffer input_;
    std::string late_body_;  // a body that came behind its head
    std::string output_;  // the head of the answer, and its body unless that is long; or all of it,
                          // encrypted
    std::string_view long_piece_;  // or else a piece of its body
    std::string_view long_body_;   // and what comes behind that
    phase phase_{phase::idle};
    std::uint64_t deadline_{};  // the sweep at which the phase has taken too long; 0: none
    bool late_{};               // it has
    std::uint64_t
        leaving_{};        // the sweep at which a client that ended its side is gone; 0: it did not
    bool counted_{true};   // among the open connections
    bool begun_{};         // bytes of the present request have arrived
    bool skipped_line_{};  // an empty line was found before it
    bool closing_{};       // the answer being made is the last
    std::uint64_t requests_{};                       // begun on this connection
    std::chrono::steady_clock::time_point began_{};  // the present request; only when it is logged
};

}  // namespace gapless
