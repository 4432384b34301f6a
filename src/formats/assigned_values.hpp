#pragma once

#include <span>
#include <string_view>

namespace gapless {

/// What a carrier is known to assign for one field of a format. Used to judge numbers from outside,
/// never to make numbers: a carrier may open a new range tomorrow.
struct assigned_values
{
    std::string_view format;
    std::string_view field;   // a parameter, or "n" for the serial
    std::string_view values;  // separated by blanks; a trailing * stands for any rest
};

/// The values known to be assigned; formats and fields that are not listed are not limited.
std::span<assigned_values const> assigned() noexcept;

/// True if `values` contains `text` or a prefix of it.
bool is_among(std::string_view values, std::string_view text) noexcept;

}  // namespace gapless
