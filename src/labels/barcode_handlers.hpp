#pragma once

#include "http/exchange.hpp"
#include "labels/picture.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>

namespace gapless::queries {

struct barcode_query
{
    bounded<dots_per_inch_known.front(), dots_per_inch_known.back(), print_size{}.dots_per_inch>
        dpi;
    std::optional<bounded<1, module_dots_max>> module;
    bounded<height_mm_min, height_mm_max, print_size{}.height_mm> height_mm;
    std::optional<bool> text;
};
GAPLESS_RECORD(
    barcode_query,
    (),
    (dpi, "Dots per inch of the printer: 203, 300 or 600."),
    (module, "Dots of the narrowest bar. Default: what is next to 0.375 mm."),
    (height_mm, "Height of the bars."),
    (text, "With the line people read. Default: true.")
)

}  // namespace gapless::queries

namespace gapless {

// The barcode of an issued number: held, issued, printed, manifested or returned. A held one is on
// its way to a station that prints it.
//
// Both take the query of wanted_barcode.
//
// 400 malformed-request: an unknown parameter; 404 unknown-number; 409 state-conflict: the number
// is free, so nobody may print it yet, or voided, so it must not get on a parcel; 422 out-of-range:
// a parameter is missing or does not fit, or the symbology cannot hold the data.
//
// Drawn on the I/O thread: passing a picture of 0.02 ms (labels/picture.hpp) to another thread
// would save nothing.

/// GET /v1/series/{series}/numbers/{number}/barcode.svg — 200 image/svg+xml, in millimetres.
boost::asio::awaitable<result<void>> get_barcode_svg(exchange& current);

/// GET /v1/series/{series}/numbers/{number}/barcode.zpl — 200 application/zpl, the field to put
/// after ^FO. text=true makes the printer write the barcode's data below the bars.
boost::asio::awaitable<result<void>> get_barcode_zpl(exchange& current);

}  // namespace gapless
