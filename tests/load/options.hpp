#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace gapless::load {

/// What gapless_load is told on its command line.
struct options
{
    std::uint16_t port{};
    std::string token;
    std::vector<std::string> series;  // connection n always asks for one of them, in turn
    double rate{};                // arrivals per second; 0: each connection sends as it is answered
    std::size_t connections{64};  // at most, at once
    double seconds{5};            // in which requests arrive; what is under way then ends
    double retry_seconds{0.1};    // before a key without a definite outcome is sent again; rate 0
    std::uint64_t seed{1};        // of the keys
    std::string out;              // file of what every attempt saw
};

}  // namespace gapless::load
