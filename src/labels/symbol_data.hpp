#pragma once

#include "formats/format_refusal.hpp"
#include "formats/presentation.hpp"
#include "formats/symbology.hpp"

#include <string>
#include <string_view>

namespace gapless {

/// Represents FNC1 in data without brackets, as scanners send it.
inline constexpr char fnc1 = '\x1d';

/// The content of one symbol. Made by read_symbol_data; picture.hpp checks the rest.
struct symbol_data
{
    symbology kind{};
    std::string data;  // as scanned, check digits included; gs1_128: identifiers in brackets

    friend bool operator==(symbol_data const&, symbol_data const&) = default;
};

/// The data of a format's barcode in the form its symbology requires: an ITF with an odd number of
/// digits gets a leading 0, Codabar capitals, and an SSCC with its 00 becomes (00) and 18 digits. A
/// format without a barcode gets Code 128 of `number`. Refuses GS1 data that does not mark its
/// application identifiers.
format_result<symbol_data> read_symbol_data(
    barcode_content const& content, std::string_view number
);

/// "(420)78745(92)001" -> FNC1 "42078745" FNC1 "92001": FNC1 follows an element whose identifier
/// does not fix its length, unless it is the last.
std::string to_gs1_message(std::string_view bracketed);

}  // namespace gapless
