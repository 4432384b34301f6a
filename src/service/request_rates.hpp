#pragma once

#include "domain/token.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace gapless {

/// How fast tokens with a rate ask: a token bucket each, kept as the moment at which it is full
/// again (the generic cell rate algorithm). Lives on the I/O thread.
class request_rates
{
public:
    using clock = std::chrono::steady_clock;

    static constexpr std::size_t tokens_max = 10'000;  // beyond: full buckets are forgotten

    /// Counts a request of a token whose rate is not 0. Returns 0 when it may pass, else how long
    /// until the next one may; a request that may not pass costs nothing.
    clock::duration count(std::int32_t token_id, token_limits const& limits, clock::time_point now);

private:
    void make_room(clock::time_point now);

    std::unordered_map<std::int32_t, clock::time_point> full_at_;
};

}  // namespace gapless
