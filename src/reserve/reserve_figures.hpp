#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// What this instance can issue of a series while the database is unavailable.
struct reserve_of_series
{
    std::string series;
    std::int64_t rest{};  // numbers
    bool serves{};        // it may be drawn on if the database fails now
};

/// The reserve of this instance.
struct reserve_figures
{
    std::vector<reserve_of_series> series{};  // with numbers on lease, or that should have some
    std::uint64_t answers{};                  // drawn from it
    std::uint64_t unsettled{};                // of them, not yet known to the database
    bool cut{};                               // the database is unavailable: the reserve is in use
    std::uint64_t tokens_left_out{};          // valid tokens not trusted in an outage: too many
};

}  // namespace gapless
