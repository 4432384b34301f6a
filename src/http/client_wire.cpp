#include "http/client_wire.hpp"

#include "base/as_outcome.hpp"
#include "base/log.hpp"

#include <boost/asio/write.hpp>

#include <array>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace gapless {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

namespace {

constexpr std::chrono::seconds handshake_log_pause{10};

/// Asio throws for a client on a named Unix socket; such a client has no address.
asio::ip::address peer_of(int socket)
{
    sockaddr_storage found{};
    socklen_t bytes = sizeof found;
    if (::getpeername(socket, reinterpret_cast<sockaddr*>(&found), &bytes) != 0 ||
        (found.ss_family != AF_INET && found.ss_family != AF_INET6))
        return {};
    tcp::endpoint peer;
    peer.resize(bytes);
    std::memcpy(peer.data(), &found, bytes);
    return peer.address();
}

}  // namespace

client_wire::client_wire(tcp::socket socket, server_state& state)
    : socket_{std::move(socket)},
      state_{state}
{
    boost::system::error_code ignored;
    socket_.set_option(tcp::no_delay{true}, ignored);
    socket_.non_blocking(true, ignored);
    peer_ = peer_of(socket_.native_handle());
}

asio::awaitable<client_wire::handshake> client_wire::shake_hands()
{
    tls_ = std::make_unique<tls_channel>(*state_.tls);
    bool heard_something = false;
    for (;;)
    {
        auto const stands = tls_->shake_hands();
        std::string outgoing;
        tls_->take_outgoing(outgoing);
        if (!outgoing.empty())
        {
            auto const bytes = asio::buffer(std::as_const(outgoing));
            co_await asio::async_write(socket_, bytes, as_outcome);
        }
        if (stands == tls_channel::progress::done)
        {
            ++state_.counters.tls_handshakes;
            co_return handshake::done;
        }
        if (stands == tls_channel::progress::failed)
            break;
        auto const sealed = tls_->room();
        auto const room = asio::buffer(sealed.data(), sealed.size());
        auto const count = co_await receive_raw(room);
        if (count == 0)
            break;
        heard_something = true;
        tls_->take(count);
    }
    note_failed_handshake(heard_something);
    auto const plain = tls_->met_plain_http();
    tls_.reset();
    co_return plain ? handshake::plain_http : handshake::failed;
}

/// A client that connects and leaves without sending anything only checks whether the port is open;
/// one that stays silent is late.
void client_wire::note_failed_handshake(bool heard_something)
{
    if (state_.stopping || (!heard_something && !cancelled_))
        return;
    auto& counters = state_.counters;
    ++counters.tls_handshake_failures;
    auto const now = std::chrono::steady_clock::now();
    if (now - state_.handshake_failure_logged < handshake_log_pause)
        return;
    state_.handshake_failure_logged = now;
    auto const* why = cancelled_                ? "it took too long"
                      : tls_->failure().empty() ? "the client left"
                                                : tls_->failure().c_str();
    log_event(
        log_level::info,
        "tls_handshake_failed",
        {{"client", peer_.to_string()}, {"why", why}, {"failures", counters.tls_handshake_failures}}
    );
}

asio::awaitable<std::size_t> client_wire::receive(asio::mutable_buffer room)
{
    return tls_ ? receive_sealed(room) : receive_raw(room);
}

asio::awaitable<std::size_t> client_wire::receive_raw(asio::mutable_buffer room)
{
    auto const outcome = co_await socket_.async_read_some(room, as_outcome);
    auto const count = std::get<1>(outcome);
    state_.counters.bytes_received += count;
    co_return cancelled_ ? 0 : count;
}

asio::awaitable<std::size_t> client_wire::receive_sealed(asio::mutable_buffer room)
{
    for (;;)
    {
        auto const count = tls_->read({static_cast<char*>(room.data()), room.size()});
        if (count > 0 || tls_->has_ended())
            co_return count;
        auto const sealed = tls_->room();
        auto const wire = asio::buffer(sealed.data(), sealed.size());
        auto const received = co_await receive_raw(wire);
        if (received == 0)
            co_return 0;
        tls_->take(received);
    }
}

void client_wire::cancel_reading()
{
    cancelled_ = true;
    stop_waiting();
}

void client_wire::stop_waiting()
{
    boost::system::error_code ignored;
    socket_.cancel(ignored);
}

bool client_wire::has_unread()
{
    pollfd asked{socket_.native_handle(), POLLIN, 0};
    return ::poll(&asked, 1, 0) > 0;
}

asio::awaitable<void> client_wire::send(std::string_view text)
{
    std::string sealed;
    if (tls_)
        tls_->write(text, sealed);
    auto const bytes = tls_ ? asio::buffer(std::as_const(sealed)) : asio::buffer(text);
    co_await asio::async_write(socket_, bytes, as_outcome);
}

void client_wire::seal(answer_writer& writer)
{
    if (tls_)
        writer.seal(*tls_);
}

std::size_t client_wire::send_at_once(answer_writer const& writer)
{
    boost::system::error_code failed_or_full;
    auto const parts = writer.parts();
    auto const sent = parts[1].size() == 0 ? socket_.write_some(parts[0], failed_or_full)
                                           : socket_.write_some(parts, failed_or_full);
    state_.counters.bytes_sent += sent;
    return sent;
}

asio::awaitable<bool> client_wire::send_rest(answer_writer const& writer, std::size_t sent)
{
    auto const parts = writer.parts_behind(sent);
    auto const outcome = co_await asio::async_write(socket_, parts, as_outcome);
    state_.counters.bytes_sent += std::get<1>(outcome);
    co_return !std::get<0>(outcome).failed();
}

asio::awaitable<void> client_wire::part()
{
    if (tls_)
    {
        std::array<char, tls_channel::goodbye_bytes_max> sealed;
        auto const bytes = asio::buffer(sealed.data(), tls_->say_goodbye(sealed));
        co_await asio::async_write(socket_, bytes, as_outcome);
        tls_.reset();
    }
    boost::system::error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
}

client_wire::presence client_wire::look_for_client()
{
    pollfd asked{socket_.native_handle(), POLLRDHUP, 0};
    if (::poll(&asked, 1, 0) <= 0)
        return presence::there;
    return (asked.revents & (POLLERR | POLLHUP)) != 0 ? presence::gone : presence::half_closed;
}

void client_wire::close(bool politely) noexcept
{
    boost::system::error_code ignored;
    if (tls_ && politely && socket_.is_open())
    {
        std::array<char, tls_channel::goodbye_bytes_max> sealed;
        auto const bytes = asio::buffer(sealed.data(), tls_->say_goodbye(sealed));
        socket_.write_some(bytes, ignored);
    }
    socket_.close(ignored);
}

}  // namespace gapless
