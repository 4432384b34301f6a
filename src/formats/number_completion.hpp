#pragma once

#include "formats/bound_format.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// What a text lacks of a number.
enum class left_out : std::uint8_t
{
    nothing = 1,
    check_character,  // as in ranges from carriers, and for DPD everywhere but on the parcel
    zeros,            // in front, dropped by a spreadsheet
};

/// Most leading zeros that may have been lost: the 00 of an SSCC, and the number's own.
inline constexpr std::size_t zeros_lost_max = 6;

/// A whole number that a text may stand for.
struct completed_number
{
    read_serial read;
    left_out what{left_out::nothing};
};

struct number_completion
{
    std::vector<completed_number> fits;  // if two differ, nobody can tell which is meant
    std::string reason;                  // why it is not a whole number; empty: it is
};

/// The number that a text means: the text itself if it is a whole number, else one that lacks only
/// its check character, or only zeros in front where its check digit is right. Completes only if
/// the series' numbers have a check character and one length; otherwise `reason` advises at most.
/// Callers that accept a completed number say so (to_text); those that change something accept
/// whole numbers only.
number_completion complete_number(bound_format const& format, std::string_view text);

/// "'9133131530724' is 09133131530724 without zeros in front"; for two, "… or … without its check
/// digit". For numbers that are not whole.
std::string to_text(std::string_view text, std::vector<completed_number> const& fits);

}  // namespace gapless
