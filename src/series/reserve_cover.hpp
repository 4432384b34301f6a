#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace gapless {

/// A day's numbers are taken to be asked for within so many hours: nobody knows when an outage
/// begins, and nights would make a reserve look longer than it is.
constexpr std::chrono::hours working_hours_of_day{8};

/// How long `numbers` last at today's rate: that of `used_a_day` within working_hours_of_day. None:
/// nothing is known of the use.
std::optional<std::chrono::seconds> reserve_lasts(std::int64_t numbers, double used_a_day);

}  // namespace gapless
