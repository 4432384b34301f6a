#pragma once

#include "formats/number_format.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// The number inside what a scanner read from the format's barcode, or inside the same with its
/// application identifiers typed: "00" before an SSCC, 420 and a ZIP before a USPS number. `bare`
/// is a text as to_bare gives it. Nothing when the text has not the shape of the barcode, or when
/// the barcode does not carry every character of the number.
///
/// Also the other way round: an SSCC without the 00 that the format itself begins with.
///
/// `without_check`: the number as it is without its last character, the check character. The
/// barcode does not carry it, as DPD's, or it was left out of the text.
std::optional<std::string> number_in_barcode(
    number_format const& format, std::string_view bare, bool without_check = false
);

}  // namespace gapless
