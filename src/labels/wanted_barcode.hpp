#pragma once

#include "http/exchange.hpp"
#include "labels/picture.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gapless {

/// What the query asks of barcodes: dpi=203|300|600 (203), module=1..10 dots (what is next to
/// 0.375 mm), height_mm=5..50 (25) and text=true|false (true: the line people read, below the
/// bars), and the parameters of the format's barcode that the series did not fix: zip=78745. A
/// parameter of the format that has one of the first four names can only be fixed on the series.
struct wanted_barcode
{
    print_size size;
    bool with_text{true};
    parameter_values parameters;
};

/// A barcode as a file. `text` is empty when none is wanted.
using barcode_writer =
    format_result<std::string> (*)(symbol_data const&, std::string_view, print_size const&);

/// What the query asks for. Refuses with malformed_request and out_of_range.
result<wanted_barcode> read_wanted_barcode(exchange const& current, bound_format const& format);

/// The barcode of a serial. Refuses with out_of_range: a parameter is missing or does not fit, or
/// the data has no place in the symbology. Does not block: 0.02 ms (labels/picture.hpp).
result<std::string> write_barcode(
    bound_format const& format,
    std::int64_t serial,
    wanted_barcode const& wanted,
    barcode_writer write
);

/// As the field of a ZPL II label, to stand behind ^FO. Refuses what a picture refuses.
format_result<std::string> write_barcode_field(
    symbol_data const& symbol, std::string_view text, print_size const& size
);

}  // namespace gapless
