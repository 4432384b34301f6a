#pragma once

#include "http/answer_writer.hpp"
#include "http/client_socket.hpp"
#include "http/server_state.hpp"
#include "http/tls.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <memory>
#include <string_view>

namespace gapless {

/// Moves the bytes of one connection, plain or under TLS; knows nothing of HTTP. I/O thread only.
class client_wire
{
public:
    /// `state` must outlive it.
    client_wire(boost::asio::ip::tcp::socket socket, server_state& state);

    enum class handshake
    {
        done = 1,
        failed,
        plain_http,  // the client does not speak TLS; the connection continues in plain text
    };

    /// Performs the TLS handshake. Counts a failure, and logs one now and then.
    boost::asio::awaitable<handshake> shake_hands();

    /// Waits for bytes. Returns 0 if no more will come or cancel_reading() was called.
    boost::asio::awaitable<std::size_t> receive(boost::asio::mutable_buffer room);

    /// Ends receive(), and every later one until read_again().
    void cancel_reading();
    void read_again() noexcept { cancelled_ = false; }

    /// Ends a waiting receive(); one that already has bytes returns them.
    void stop_waiting();

    /// Whether bytes, or the client's end, are ready to be received.
    bool has_unread();

    /// Writes a short text.
    boost::asio::awaitable<void> send(std::string_view text);

    /// Encrypts what the writer has made, if the connection is encrypted.
    void seal(answer_writer& writer);

    /// Writes what the writer has made, without waiting; returns how many bytes the socket took.
    std::size_t send_at_once(answer_writer const& writer);

    /// Writes the rest of it. Returns false if the client is gone or does not read.
    boost::asio::awaitable<bool> send_rest(answer_writer const& writer, std::size_t sent);

    /// Shuts down our side, so that the client can tell an end from a cut. Whatever the client
    /// still sends is ignored and not decrypted.
    boost::asio::awaitable<void> part();

    /// Whether the client has ended its side or reset the connection.
    enum class presence
    {
        there = 1,
        half_closed,
        gone,
    };
    presence look_for_client();

    bool is_open() const noexcept { return socket_.is_open(); }
    boost::asio::any_io_executor executor() { return socket_.get_executor(); }
    boost::asio::ip::address const& peer() const noexcept { return peer_; }

    /// Closes. `politely`: with close_notify, if the socket takes it at once; omitted after half an
    /// answer, because the client must notice the cut.
    void close(bool politely) noexcept;

private:
    boost::asio::awaitable<std::size_t> receive_raw(boost::asio::mutable_buffer room);
    boost::asio::awaitable<std::size_t> receive_sealed(boost::asio::mutable_buffer room);
    void note_failed_handshake(bool heard_something);

    client_socket socket_;
    server_state& state_;
    boost::asio::ip::address peer_;
    std::unique_ptr<tls_channel> tls_;  // null: plain, or TLS has ended
    bool cancelled_{};
};

}  // namespace gapless
