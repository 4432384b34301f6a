#pragma once

#include "labels/picture.hpp"
#include "labels/symbol_data.hpp"

#include <string>
#include <string_view>

namespace gapless {

/// The field of a ZPL II label, "^BY…^B…^FD…^FS" and a line end, to put after ^FO: ^BC for code128,
/// gs1-128 and dpd, ^B2 for the interleaved ones, ^BK for codabar, ^BX for datamatrix. `with_text`:
/// the printer writes the data below the bars. `symbol` must have been drawn before, which shows
/// that its data fits its symbology.
std::string to_zpl(symbol_data const& symbol, bool with_text, print_size const& size);

/// The data of a ^BC field in mode N: start code, and the shortest row of subsets B and C.
/// `message` is printable ASCII and FNC1. "1Z12345678" becomes ">:1Z>512345678".
std::string to_code128_field(std::string_view message);

}  // namespace gapless
