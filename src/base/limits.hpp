#pragma once

#include <cstddef>
#include <cstdint>

/// The limits that gapless promises. For those an operator may tune, see app/service_config.hpp.
namespace gapless {

/// Largest serial: one less than the maximum of int64, so that every serial has a successor.
inline constexpr std::int64_t serial_max = 9'223'372'036'854'775'806;

/// Most numbers that one request may ask for.
inline constexpr int count_max = 100'000;

/// Most numbers an answer lists one by one unless asked to.
inline constexpr int listed_numbers_max = 1'000;

/// Longest hold: a year.
inline constexpr std::int32_t hold_seconds_max = 366 * 86'400;

inline constexpr std::size_t idempotency_key_characters_max = 255;
inline constexpr std::size_t reference_characters_max = 255;

/// Most requests in one batch: larger batches gain nothing (docs/design/decisions.md).
inline constexpr std::size_t batch_requests_max = 128;

}  // namespace gapless
