#include "base/log.hpp"
#include "http/session.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <array>

namespace gapless {

namespace asio = boost::asio;

namespace {

constexpr auto as_outcome = asio::as_tuple(asio::use_awaitable);
constexpr std::chrono::seconds failure_log_pause{10};

}  // namespace

/// The handshake, within the time of a header. False: it failed, and the connection has ended.
asio::awaitable<bool> session::shake_hands()
{
    enter(phase::handshake);
    boost::system::error_code ignored;
    auto const client = socket_.remote_endpoint(ignored);
    tls_ = std::make_unique<tls_channel>(*state_->tls);
    bool heard_something = false;
    for (;;)
    {
        auto const stands = tls_->shake_hands();
        output_.clear();
        tls_->take_outgoing(output_);
        if (!output_.empty())
        {
            auto const bytes = asio::buffer(std::as_const(output_));
            co_await asio::async_write(socket_, bytes, as_outcome);
        }
        if (stands == tls_channel::progress::done)
        {
            ++state_->counters.tls_handshakes;
            co_return true;
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
    note_failed_handshake(client, heard_something);
    auto const plain = tls_->met_plain_http();
    tls_.reset();
    if (plain)
    {
        give_up({400, "This port speaks TLS: write https:// instead of http://."});
        begin_answer();
        send_at_once();
    }
    co_await linger();
    close();
    co_return false;
}

/// Counts it, and logs one now and then. A client that connects and leaves without a word only
/// looks whether the port is open; one that stays silent is late.
void session::note_failed_handshake(asio::ip::tcp::endpoint const& client, bool heard_something)
{
    if (state_->stopping || (!heard_something && !late_))
        return;
    auto& counters = state_->counters;
    ++counters.tls_handshake_failures;
    auto const now = std::chrono::steady_clock::now();
    if (now - state_->handshake_failure_logged < failure_log_pause)
        return;
    state_->handshake_failure_logged = now;
    auto const* why = late_                     ? "it took too long"
                      : tls_->failure().empty() ? "the client left"
                                                : tls_->failure().c_str();
    log_event(
        log_level::info,
        "tls_handshake_failed",
        {{"client", client.address().to_string()},
         {"why", why},
         {"failures", counters.tls_handshake_failures}}
    );
}

/// Waits for bytes and decrypts them. 0: no more will come, or not in time.
asio::awaitable<std::size_t> session::receive_sealed(asio::mutable_buffer room)
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

/// What is to be sent next becomes its encryption.
void session::seal_output()
{
    std::string sealed;
    sealed.reserve(output_bytes() + output_bytes() / 256 + tls_channel::goodbye_bytes_max);
    tls_->write(output_, sealed);
    tls_->write(long_piece_, sealed);
    output_ = std::move(sealed);
    long_piece_ = {};
}

/// Says that nothing more will come, so that the client can tell an end from a cut. What the client
/// still sends is of no interest, and not decrypted.
asio::awaitable<void> session::part()
{
    std::array<char, tls_channel::goodbye_bytes_max> sealed;
    auto const bytes = asio::buffer(sealed.data(), tls_->say_goodbye(sealed));
    co_await asio::async_write(socket_, bytes, as_outcome);
    tls_.reset();
}

/// The same without waiting. A client that has got half an answer must notice: it gets none.
void session::say_goodbye() noexcept
{
    if (phase_ == phase::writing || !socket_.is_open())
        return;
    std::array<char, tls_channel::goodbye_bytes_max> sealed;
    boost::system::error_code ignored;
    auto const bytes = asio::buffer(sealed.data(), tls_->say_goodbye(sealed));
    socket_.write_some(bytes, ignored);
}

}  // namespace gapless
