#include "http/session.hpp"

#include "http/dispatch.hpp"
#include "http/spawn.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace gapless {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;

namespace {

constexpr auto as_outcome = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t read_bytes = 4 * 1'024;
constexpr std::string_view go_on{"HTTP/1.1 100 Continue\r\n\r\n"};

}  // namespace

session::session(tcp::socket socket, std::shared_ptr<server_state> state)
    : socket_{std::move(socket)},
      state_{std::move(state)},
      current_{*state_}
{
    boost::system::error_code ignored;
    socket_.set_option(tcp::no_delay{true}, ignored);
    socket_.non_blocking(true, ignored);
    current_.peer = socket_.remote_endpoint(ignored).address();
    ++state_->counters.connections_open;
    ++state_->sessions;
}

session::~session()
{
    close();
    --state_->sessions;
    if (state_->on_session_ended)
        state_->on_session_ended();
}

void session::start()
{
    asio::co_spawn(
        socket_.get_executor(), run(shared_from_this()), log_failure_as("session_failed")
    );
}

asio::awaitable<void> session::run(std::shared_ptr<session> self)
{
    auto& me = *self;
    if (me.state_->tls)
    {
        auto const encrypted = co_await me.shake_hands();
        if (!encrypted)
            co_return;
    }
    me.enter(phase::header);
    while (me.socket_.is_open())
    {
        while (!me.find_head())
        {
            auto const room = me.input_.prepare(read_bytes);
            auto const count = co_await me.receive(room);
            if (count == 0)
            {
                me.end_of_input();
                break;
            }
            me.input_.commit(count);
        }
        if (!me.socket_.is_open())
            break;
        if (!me.closing_ && me.take_head())
            co_await me.answer_request();
        if (!me.socket_.is_open())
        {
            me.count_and_log();
            break;
        }
        auto const all_sent = co_await me.send_answer();
        if (!all_sent)
            break;
        me.end_request();
        if (me.closing_)
        {
            co_await me.linger();
            break;
        }
    }
    me.close();
}

/// Waits for bytes. 0: no more will come, or not in time.
asio::awaitable<std::size_t> session::receive(asio::mutable_buffer room)
{
    return tls_ ? receive_sealed(room) : receive_raw(room);
}

/// The same, as they come over the wire.
asio::awaitable<std::size_t> session::receive_raw(asio::mutable_buffer room)
{
    auto const outcome = co_await socket_.async_read_some(room, as_outcome);
    auto const count = std::get<1>(outcome);
    state_->counters.bytes_received += count;
    co_return late_ ? 0 : count;
}

/// Reads the rest of a body that did not come with its head. False: it did not come; the answer is
/// made.
asio::awaitable<bool> session::receive_body()
{
    auto const wanted = static_cast<std::size_t>(current_.head.content_length);
    auto const here = input_.bytes().substr(current_.head.bytes).substr(0, wanted);
    late_body_.resize(wanted);
    std::ranges::copy(here, late_body_.begin());
    auto have = here.size();

    enter(phase::body);
    if (current_.head.expects_continue && !current_.head.http_1_0 && have == 0)
        co_await send_go_on();
    while (have < wanted)
    {
        auto const room = asio::buffer(late_body_) + have;
        auto const count = co_await receive(room);
        if (count == 0)
        {
            end_of_input();
            co_return false;
        }
        have += count;
    }
    enter(phase::running);
    current_.body = late_body_;
    co_return true;
}

asio::awaitable<void> session::send_go_on()
{
    std::string sealed;
    if (tls_)
        tls_->write(go_on, sealed);
    auto const bytes = tls_ ? asio::buffer(std::as_const(sealed)) : asio::buffer(go_on);
    co_await asio::async_write(socket_, bytes, as_outcome);
}

/// Makes the answer to a request whose head was read: the handler's, or the reason why not.
asio::awaitable<void> session::answer_request()
{
    try
    {
        auto const decided = decide();
        if (closing_)
            co_return;
        result<void> outcome;
        if (decided.has_error())
            outcome = decided.error();
        else if (!*decided)
            outcome = co_await authorize(current_);

        if (leaves_body_unread(outcome.has_error()))
            closing_ = true;
        else if (input_.bytes().size() < request_bytes())
        {
            auto const arrived = co_await receive_body();
            if (!arrived)
                co_return;
        }
        else
            current_.body = input_.bytes().substr(
                current_.head.bytes, static_cast<std::size_t>(current_.head.content_length)
            );

        if (outcome.has_value())
        {
            auto const place = take_place(current_);
            if (place.has_error())
                outcome = place.error();
            else
                outcome = co_await current_.matched->handle(current_);
        }
        if (outcome.has_error())
            state_->problems.write(current_.out, outcome.error());
    }
    catch (std::exception const& why)
    {
        fail(why);
    }
}

/// Writes the answer. False: the client is gone, or does not read.
asio::awaitable<bool> session::send_answer()
{
    begin_answer();
    auto const sent = send_at_once();
    bool all_sent = true;
    if (sent < output_bytes())
        all_sent = co_await send_rest(sent);
    // Each piece is a turn of its own on the I/O thread; others are served in between.
    while (all_sent && next_piece())
        all_sent = co_await send_rest(0);
    co_return all_sent;
}

/// Writes what could not be written at once. False: the client is gone, or does not read.
asio::awaitable<bool> session::send_rest(std::size_t sent)
{
    auto parts = output_parts();
    auto const of_first = std::min(sent, parts[0].size());
    parts[0] += of_first;
    parts[1] += sent - of_first;
    auto const outcome = co_await asio::async_write(socket_, parts, as_outcome);
    state_->counters.bytes_sent += std::get<1>(outcome);
    co_return !std::get<0>(outcome).failed();
}

/// Reads away what the client still sends: closing with unread bytes would reset the connection and
/// could take the answer away from the client.
asio::awaitable<void> session::linger()
{
    late_ = false;
    enter(phase::lingering);
    if (tls_)
        co_await part();
    boost::system::error_code ignored;
    socket_.shutdown(tcp::socket::shutdown_send, ignored);
    input_.consume(input_.bytes().size());
    std::size_t count = 1;
    while (count > 0)
    {
        auto const room = input_.prepare(read_bytes);
        count = co_await receive(room);
    }
}

}  // namespace gapless
