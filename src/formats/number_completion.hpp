#pragma once

#include "formats/bound_format.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// What a text leaves out of a number.
enum class left_out : std::uint8_t
{
    nothing = 1,
    check_character,  // as where a carrier hands out ranges, and DPD everywhere but on the parcel
    zeros,            // in front, as a spreadsheet does
};

/// Most zeros in front that are thought to be lost: the 00 of an SSCC, and those of its own.
inline constexpr std::size_t zeros_lost_max = 6;

/// A whole number that a text stands for.
struct completed_number
{
    read_serial read;
    left_out what{left_out::nothing};
};

struct number_completion
{
    std::vector<completed_number> fits;  // two that differ: nobody can tell which is meant
    std::string reason;                  // why it is no whole number; empty: it is one
};

/// The number that a text means: the text itself if it is a whole number, else one that lacks only
/// its check character, or only zeros in front where its check digit is right. Completes only if
/// the series' numbers have a check character and one length; otherwise `reason` advises at most.
/// Callers that accept a completed number say so (to_text); those that change something accept
/// whole numbers only.
number_completion complete_number(bound_format const& format, std::string_view text);

/// "'9133131530724' is 09133131530724 without zeros in front"; of two, "… or … without its check
/// digit". Of numbers that are not whole.
std::string to_text(std::string_view text, std::vector<completed_number> const& fits);

}  // namespace gapless
