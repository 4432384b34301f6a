#pragma once

#include "http/limits.hpp"

#include <chrono>
#include <cstdint>

namespace gapless {

/// Decides when to end a connection that its client does not end. Deadlines are counted in the
/// server's sweeps rather than read from a clock: a request costs no clock call, and a process that
/// was frozen does not find every client late.
class connection_clock
{
public:
    enum class phase
    {
        idle = 1,   // waiting for the first byte of a request
        handshake,  // TLS handshake
        header,
        body,
        running,  // bounded by the service, not here
        writing,
        lingering,  // after the last answer; discards what still comes
        parting,    // without an answer: gives bytes on their way a moment to arrive
    };

    enum class verdict
    {
        stay = 1,
        look,    // check whether the client is still there: nobody reads while a request runs
        answer,  // stop waiting for bytes, so that the request is answered with 408
        close,
    };

    /// `limits` must outlive it.
    explicit connection_clock(http_limits const& limits) : limits_{limits} {}

    /// Starts a phase at that sweep.
    void enter(phase next, std::uint64_t sweep) noexcept;

    phase now() const noexcept { return phase_; }

    /// The sweep at which the phase began.
    std::uint64_t since() const noexcept { return since_; }

    /// What to do at that sweep; `arriving`: bytes of a request have arrived.
    verdict look(std::uint64_t sweep, bool arriving) noexcept;

    /// Notes that the client has ended its side while its request runs. Returns true if that was
    /// long enough ago to count it as gone.
    bool note_half_closed(std::uint64_t sweep) noexcept;

    /// Whether the client has ended its side.
    bool leaving() const noexcept { return leaving_ != 0; }

    /// Whether the phase took too long.
    bool late() const noexcept { return late_; }

    /// Clears late(), which may still be set by the phase before lingering.
    void forgive() noexcept { late_ = false; }

private:
    std::uint64_t sweep_in(std::uint64_t sweep, std::chrono::milliseconds limit) const noexcept
    {
        return sweep + 2 + static_cast<std::uint64_t>(limit / limits_.sweep_period);
    }

    http_limits const& limits_;
    phase phase_{phase::idle};
    std::uint64_t since_{};
    std::uint64_t deadline_{};  // the sweep at which the phase is too long; 0: none
    std::uint64_t leaving_{};   // the sweep at which a client that ended its side is gone; 0: none
    bool late_{};
};

}  // namespace gapless
