#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace gapless {

/// Assumes that a day's numbers are used within this many hours. An outage can begin at any hour,
/// and counting the nights would make a reserve seem to last longer than it does.
constexpr std::chrono::hours working_hours_of_day{8};

/// How long `numbers` last at the current rate, `used_a_day` within working_hours_of_day. Nullopt
/// if the use is unknown.
std::optional<std::chrono::seconds> reserve_lasts(std::int64_t numbers, double used_a_day);

}  // namespace gapless
