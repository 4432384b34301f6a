#include "http/connection_clock.hpp"

namespace gapless {

void connection_clock::enter(phase next, std::uint64_t sweep) noexcept
{
    phase_ = next;
    since_ = sweep;
    leaving_ = 0;
    switch (next)
    {
    case phase::idle: deadline_ = sweep_in(sweep, limits_.idle_time_max); return;
    case phase::handshake:
    case phase::header: deadline_ = sweep_in(sweep, limits_.header_time_max); return;
    case phase::body: deadline_ = sweep_in(sweep, limits_.body_time_max); return;
    case phase::running: deadline_ = 0; return;
    case phase::writing: deadline_ = sweep_in(sweep, limits_.write_time_max); return;
    case phase::parting: deadline_ = sweep_in(sweep, {}); return;
    case phase::lingering: deadline_ = sweep_in(sweep, limits_.linger_time_max); return;
    }
}

connection_clock::verdict connection_clock::look(std::uint64_t sweep, bool arriving) noexcept
{
    if (phase_ == phase::running)
        return verdict::look;
    if (deadline_ == 0 || sweep < deadline_)
        return verdict::stay;
    deadline_ = 0;
    late_ = true;
    if (phase_ == phase::body || (phase_ == phase::header && arriving))
        return verdict::answer;
    return verdict::close;
}

bool connection_clock::note_half_closed(std::uint64_t sweep) noexcept
{
    if (leaving_ == 0)
        leaving_ = sweep_in(sweep, limits_.half_closed_time_max);
    return sweep >= leaving_;
}

}  // namespace gapless
