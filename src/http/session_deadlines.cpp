#include "http/session.hpp"

#include <poll.h>
#include <utility>

/// When a session ends that its client does not end.
namespace gapless {

void session::enter(phase next) noexcept
{
    auto const& limits = state_->limits;
    phase_ = next;
    leaving_ = 0;
    switch (next)
    {
    case phase::idle: deadline_ = state_->deadline_in(limits.idle_time_max); return;
    case phase::handshake:
    case phase::header: deadline_ = state_->deadline_in(limits.header_time_max); return;
    case phase::body: deadline_ = state_->deadline_in(limits.body_time_max); return;
    case phase::running: deadline_ = 0; return;
    case phase::writing: deadline_ = state_->deadline_in(limits.write_time_max); return;
    case phase::lingering: deadline_ = state_->deadline_in(limits.linger_time_max); return;
    }
}

/// While a request runs nobody reads, so a client that goes would not be noticed. More requests
/// behind the present one are no departure; only the end of the client's side is.
void session::look_for_client()
{
    if (!socket_.is_open())
        return;
    pollfd asked{socket_.native_handle(), POLLRDHUP, 0};
    if (::poll(&asked, 1, 0) <= 0)
        return;
    if ((asked.revents & (POLLERR | POLLHUP)) != 0)
        return depart();
    if (leaving_ == 0)
        leaving_ = state_->deadline_in(state_->limits.half_closed_time_max);
    else if (state_->sweep >= leaving_)
        depart();
}

/// The connection ends; what was asked for goes on, and is kept under its key.
void session::depart() noexcept
{
    ++state_->counters.departures;
    close();
}

bool session::make_room()
{
    if (leaving_ == 0 || !socket_.is_open())
        return false;
    depart();
    return true;
}

void session::look_at_deadline()
{
    if (phase_ == phase::running)
        return look_for_client();
    if (deadline_ == 0 || state_->sweep < deadline_)
        return;
    deadline_ = 0;
    late_ = true;
    auto const arriving = phase_ == phase::body || (phase_ == phase::header && begun_);
    if (arriving || phase_ == phase::writing)
        ++state_->counters.timeouts;
    boost::system::error_code ignored;
    if (arriving)
        socket_.cancel(ignored);
    else
        close();
}

void session::close_when_idle()
{
    if (phase_ == phase::idle || phase_ == phase::handshake || (phase_ == phase::header && !begun_))
        close();
}

void session::cut()
{
    close();
}

void session::close() noexcept
{
    if (tls_)
        say_goodbye();
    boost::system::error_code ignored;
    socket_.close(ignored);
    if (std::exchange(counted_, false))
        --state_->counters.connections_open;
}

}  // namespace gapless
