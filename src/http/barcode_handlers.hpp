#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

// The barcode of a number that left: held, issued, printed, manifested or returned. A held one is
// on its way to a station that prints it.
//
// The query of both is that of wanted_barcode.
//
// 400 malformed-request: a parameter that is none of these; 404 unknown-number; 409 state-conflict:
// the number is free, nobody may print it yet, or voided, it must not get on a parcel; 422
// out-of-range: a parameter is missing or does not fit, or the data has no place in the symbology.
//
// Drawn on the I/O thread: handing a picture of 0.02 ms (barcode/picture.hpp) to another one would
// save nothing.

/// GET /v1/series/{series}/numbers/{number}/barcode.svg — 200 image/svg+xml, in millimetres.
boost::asio::awaitable<result<void>> get_barcode_svg(exchange& current);

/// GET /v1/series/{series}/numbers/{number}/barcode.zpl — 200 application/zpl, the field to stand
/// behind ^FO. text=true lets the printer write the data of the barcode below the bars.
boost::asio::awaitable<result<void>> get_barcode_zpl(exchange& current);

}  // namespace gapless
