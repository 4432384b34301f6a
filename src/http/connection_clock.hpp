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
        handshake,  // of TLS
        header,
        body,
        running,  // bounded by the service, not here
        writing,
        lingering,  // answered for the last time; reads away what still comes
        parting,    // the same without an answer: what was on its way has arrived in a moment
    };

    enum class verdict
    {
        stay = 1,
        look,    // whether the client is still there: nobody reads while a request runs
        answer,  // stop waiting for bytes, so that the request is answered with 408
        close,
    };

    /// `limits` outlive it.
    explicit connection_clock(http_limits const& limits) : limits_{limits} {}

    /// A phase begins at that sweep.
    void enter(phase next, std::uint64_t sweep) noexcept;

    phase now() const noexcept { return phase_; }

    /// What to do at that sweep; `arriving`: bytes of a request have arrived.
    verdict look(std::uint64_t sweep, bool arriving) noexcept;

    /// The client has ended its side while its request runs, as a look found. True: long enough
    /// ago, so it is gone.
    bool note_half_closed(std::uint64_t sweep) noexcept;

    /// The client has ended its side.
    bool leaving() const noexcept { return leaving_ != 0; }

    /// The phase took too long.
    bool late() const noexcept { return late_; }

    /// Lingering is another matter: the phase before may have been late.
    void forgive() noexcept { late_ = false; }

private:
    std::uint64_t sweep_in(std::uint64_t sweep, std::chrono::milliseconds limit) const noexcept
    {
        return sweep + 2 + static_cast<std::uint64_t>(limit / limits_.sweep_period);
    }

    http_limits const& limits_;
    phase phase_{phase::idle};
    std::uint64_t deadline_{};  // the sweep at which the phase has taken too long; 0: none
    std::uint64_t leaving_{};   // the sweep at which a client that ended its side is gone; 0: not
    bool late_{};
};

}  // namespace gapless
