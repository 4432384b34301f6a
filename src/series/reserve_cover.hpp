#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace gapless {

/// Assumes that a day's numbers are used within this many hours. Nobody knows when an outage
/// begins, and counting the nights would make a reserve look longer than it is.
constexpr std::chrono::hours working_hours_of_day{8};

/// How long `numbers` last at today's rate: that of `used_a_day` within working_hours_of_day. None
/// if the use is unknown.
std::optional<std::chrono::seconds> reserve_lasts(std::int64_t numbers, double used_a_day);

}  // namespace gapless
