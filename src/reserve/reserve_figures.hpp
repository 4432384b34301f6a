#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gapless {

/// What this instance can issue of a series while the database is away.
struct reserve_of_series
{
    std::string series;
    std::int64_t rest{};  // numbers
    bool serves{};        // it may be drawn on, should the database go now
};

/// The reserve of this instance.
struct reserve_figures
{
    std::vector<reserve_of_series> series{};  // with numbers on lease
    std::uint64_t answers{};                  // that were drawn from it
    std::uint64_t unsettled{};                // of them, those that the database does not know yet
    bool cut{};                               // the database is away: it is drawn on
    std::uint64_t tokens_left_out{};          // in force, and not trusted in an outage: too many
};

}  // namespace gapless
