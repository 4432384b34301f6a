#pragma once

#include "formats/bound_format.hpp"
#include "formats/format_refusal.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gapless {

/// How the ends of a block were written.
enum class block_ends_read_as : std::uint8_t
{
    serials = 1,  // bare integers
    numbers,      // whole numbers, with prefix and check character
};

/// The ends of a block, both included.
struct block_ends
{
    std::int64_t first_serial{};  // 0..last_serial
    std::int64_t last_serial{};   // ..serial_max() of the format
    block_ends_read_as read_as{block_ends_read_as::serials};
    std::string completed;  // what a person has to confirm of this reading, if anything
};

/// "serials" or "numbers".
std::string_view name_of(block_ends_read_as read_as) noexcept;

/// Reads the ends of a block as a carrier gives them: both are serials, in decimal digits, or both
/// are whole numbers of the series with correct check characters. Whole numbers may also lack their
/// check characters, both of them, or leading zeros (complete_number); then `completed` says so.
/// Refuses everything else, with the reason for each end: one of each kind, a wrong check
/// character, another series' prefix, a serial too wide for the number, an end before the
/// beginning, ends with two readings.
format_result<block_ends> read_block_ends(
    bound_format const& format, std::string_view first, std::string_view last
);

/// Reads the last number of a block that was issued elsewhere, written like the end of the block
/// that begins with `first`. Refuses what read_block_ends refuses, in its own words where it is
/// before `first`.
format_result<std::int64_t> read_issued_until(
    bound_format const& format, std::string_view first, std::string_view until
);

/// Refuses the digits of a number with leading zeros where the format would drop them (plain), and
/// names the format that keeps them.
format_result<void> check_leading_zeros(bound_format const& format, std::string_view text);

}  // namespace gapless
