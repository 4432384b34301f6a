#pragma once

#include "formats/format_refusal.hpp"
#include "formats/presentation.hpp"
#include "formats/symbology.hpp"

#include <string>
#include <string_view>

namespace gapless {

/// What stands for FNC1 where data is shown without brackets, as scanners send it.
inline constexpr char fnc1 = '\x1d';

/// What one symbol carries. Made by read_symbol_data; picture.hpp checks what is left to check.
struct symbol_data
{
    symbology kind{};
    std::string data;  // as scanned, check digits included; gs1_128: identifiers in brackets

    friend bool operator==(symbol_data const&, symbol_data const&) = default;
};

/// The data of a format's barcode as its symbology wants it: an ITF of an odd number of digits gets
/// a 0 in front, the capitals Codabar has, and an SSCC with its 00 becomes (00) and 18 digits. A
/// format without a barcode has Code 128 of `number`. Refuses GS1 data that does not say where its
/// application identifiers are.
format_result<symbol_data> read_symbol_data(
    barcode_content const& content, std::string_view number
);

/// "(420)78745(92)001" -> FNC1 "42078745" FNC1 "92001": after an element whose length is not fixed
/// by its identifier stands FNC1, unless it is the last.
std::string to_gs1_message(std::string_view bracketed);

}  // namespace gapless
