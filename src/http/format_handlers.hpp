#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/formats — every format, the catalogue's first: {"items":[…],"next":null}. 200.
boost::asio::awaitable<result<void>> get_formats(exchange& current);

/// GET /v1/formats/{name} — one format as it was declared. 200; 404 not-found.
boost::asio::awaitable<result<void>> get_format(exchange& current);

/// POST /v1/formats — keeps a format of the shipper's own.
///
/// Body {"name","number"} and, optional, {"length","check","hrt","barcode"}. Repeatable. 201 with
/// the format and its Location; 409 state-conflict when the name is taken by another format; 422
/// out-of-range, saying what is wrong with the declaration.
boost::asio::awaitable<result<void>> post_format(exchange& current);

}  // namespace gapless
