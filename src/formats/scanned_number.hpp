#pragma once

#include "formats/number_format.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Extracts the number from what a scanner read from the format's barcode, or from the same typed
/// with its application identifiers: "00" before an SSCC, 420 and a ZIP before a USPS number.
/// `bare` is the result of to_bare. Nullopt if the text does not have the shape of the barcode, or
/// the barcode does not carry every character of the number.
///
/// Also the reverse: an SSCC without the 00 with which the format itself begins.
///
/// `without_check`: the number without its last character, the check character, because the barcode
/// does not carry it, as DPD's, or because the text lacks it.
std::optional<std::string> number_in_barcode(
    number_format const& format, std::string_view bare, bool without_check = false
);

}  // namespace gapless
