#include "http/session.hpp"

#include <utility>

/// How a session ends.
namespace gapless {

namespace asio = boost::asio;

/// No more bytes will come, or not in time.
void session::end_of_input()
{
    if (!wire_.is_open())
        return;
    if (!begun_ && parting_)
        return;  // our own end, and not the client's
    if (!begun_)
        close();
    else if (clock_.late())
        give_up({408, "The request did not arrive in time."});
    else
        give_up({400, "The connection ended inside the request."});
}

/// Reads away what the client still sends: closing with unread bytes would reset the connection and
/// could take the answer away from the client.
asio::awaitable<void> session::linger(phase how)
{
    clock_.forgive();
    wire_.read_again();
    enter(how);
    co_await wire_.part();
    std::size_t count = 1;
    while (count > 0)
    {
        reader_.drop();
        auto const room = reader_.room();
        count = co_await wire_.receive(room);
    }
}

void session::look_at_deadline()
{
    using verdict = session_clock::verdict;
    using presence = client_wire::presence;
    if (!wire_.is_open())
        return;
    switch (clock_.look(state_->sweep, begun_))
    {
    case verdict::stay: return;
    case verdict::answer:
        ++state_->counters.timeouts;
        wire_.cancel_reading();
        return;
    case verdict::close:
        if (clock_.now() == phase::writing)
            ++state_->counters.timeouts;
        wire_.cancel_reading();
        close();
        return;
    case verdict::look: break;
    }
    // More requests behind the present one are no departure; only the end of the client's side is.
    auto const client = wire_.look_for_client();
    if (client == presence::gone ||
        (client == presence::half_closed && clock_.note_half_closed(state_->sweep)))
        depart();
}

/// The connection ends; what was asked for goes on, and is kept under its key. From a stream a
/// client goes when it likes.
void session::depart() noexcept
{
    if (clock_.now() != phase::streaming)
        ++state_->counters.departures;
    close();
}

bool session::make_room()
{
    if (!clock_.leaving() || !wire_.is_open())
        return false;
    depart();
    return true;
}

void session::part_when_idle()
{
    auto const now = clock_.now();
    auto const waits =
        now == phase::idle || now == phase::handshake || (now == phase::header && !begun_);
    // A request that has arrived is answered, although nobody has read it yet.
    if (!waits || !wire_.is_open() || wire_.has_unread())
        return;
    parting_ = true;
    wire_.stop_waiting();
}

void session::end_stream() noexcept
{
    if (current_.out.events)
        current_.out.events->end();
}

void session::close() noexcept
{
    end_stream();
    wire_.close(/*politely=*/clock_.now() != phase::writing);
    if (std::exchange(counted_, false))
        --state_->counters.connections_open;
}

}  // namespace gapless
