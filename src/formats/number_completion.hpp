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
    check_character =
        1,  // as where a carrier hands out ranges, and DPD everywhere but on the parcel
    zeros,  // in front, as a spreadsheet does
};

/// Most zeros in front that are thought to be lost: the 00 of an SSCC, and those of its own.
inline constexpr std::size_t zeros_lost_max = 6;

/// A whole number that a text stands for.
struct completed_number
{
    read_serial read;
    left_out what{};
};

/// A text that is no whole number of a series.
struct number_completion
{
    std::vector<completed_number> fits;  // one, or two that differ: then nobody can tell which
    std::string advice;  // for a refusal, "; without its check digit: …"; may be empty
};

/// What such a text stands for: everything but the check character is there and fits, or digits
/// whose check digit is right with zeros in front. Only where numbers of the series have a check
/// character and one length; else advice at most. Whoever uses it tells so (to_text); what changes
/// something takes whole numbers only.
number_completion complete_number(bound_format const& format, std::string_view text);

/// "'9133131530724' is 09133131530724 without zeros in front"; of two, "… or … without its check
/// digit".
std::string to_text(std::string_view text, std::vector<completed_number> const& fits);

}  // namespace gapless
