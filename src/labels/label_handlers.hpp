#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/issuances/{id}/labels.zpl — a ZPL II label for each number of the issuance that may be
/// on a parcel, in order, one per line: ^XA, the barcode at the end of its quiet zone, ^XZ. Voided
/// numbers have none; nor have those of a hold that were not confirmed.
///
/// Takes the query of wanted_barcode. 200 application/zpl; 400 malformed-request; 404
/// unknown-issuance; 409 state-conflict: numbers are held, or none may be on a parcel; 422
/// out-of-range: more than labels_max numbers, or a barcode cannot be drawn.
///
/// Drawn on the I/O thread, a few at a time, so that other requests have their turn in between.
boost::asio::awaitable<result<void>> get_labels(exchange& current);

}  // namespace gapless
