#pragma once

#include <array>
#include <cstdint>

namespace gapless {

/// What the server has counted since its start. Plain integers: only the I/O thread touches them.
struct http_counters
{
    std::uint64_t connections_accepted{};
    std::uint64_t connections_refused{};     // beyond connections_max
    std::uint64_t connections_open{};        // now
    std::uint64_t accept_failures{};         // no file descriptor or memory left
    std::uint64_t requests{};                // answered, whatever the answer
    std::array<std::uint64_t, 6> answers{};  // by first digit of the status
    std::uint64_t framing_faults{};          // requests without a clear end
    std::uint64_t timeouts{};                // phases that took too long
    std::uint64_t departures{};              // clients that left while their request ran
    std::uint64_t failures{};                // exceptions answered with 500
    std::uint64_t bytes_received{};          // on the wire, encrypted or not; so is bytes_sent
    std::uint64_t bytes_sent{};
    std::uint64_t tls_handshakes{};
    std::uint64_t
        tls_handshake_failures{};  // late ones too; not: connected and left without a word
    std::int64_t tls_certificate_expires{};  // seconds since 1970; 0: no TLS
};

}  // namespace gapless
