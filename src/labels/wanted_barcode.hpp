#pragma once

#include "http/exchange.hpp"
#include "labels/picture.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gapless {

/// The query parameters of barcodes: dpi=203|300|600 (203), module=1..10 dots (closest to 0.375
/// mm), height_mm=5..50 (25) and text=true|false (true: the line for people, below the bars), and
/// the parameters of the format's barcode that the series did not fix: zip=78745. A parameter of
/// the format with one of the first four names can only be fixed on the series.
struct wanted_barcode
{
    print_size size;
    bool with_text{true};
    parameter_values parameters;
};

/// Writes a barcode as a file. `text` is empty if none is wanted.
using barcode_writer =
    format_result<std::string> (*)(symbol_data const&, std::string_view, print_size const&);

/// Reads the query. Refuses with malformed_request and out_of_range.
result<wanted_barcode> read_wanted_barcode(exchange const& current, bound_format const& format);

/// The barcode of a serial. Refuses with out_of_range if a parameter is missing or does not fit, or
/// the symbology cannot hold the data. Does not block: 0.02 ms (labels/picture.hpp).
result<std::string> write_barcode(
    bound_format const& format,
    std::int64_t serial,
    wanted_barcode const& wanted,
    barcode_writer write
);

/// As the field of a ZPL II label, to put after ^FO. Refuses what a picture would refuse.
format_result<std::string> write_barcode_field(
    symbol_data const& symbol, std::string_view text, print_size const& size
);

}  // namespace gapless
