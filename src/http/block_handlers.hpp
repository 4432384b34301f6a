#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/series/{series}/blocks — the blocks in the order they are used:
/// {"items":[…],"next":null}. 200.
boost::asio::awaitable<result<void>> get_blocks(exchange& current);

/// GET /v1/series/{series}/blocks/{id} — one block. 200; 404 not-found.
boost::asio::awaitable<result<void>> get_block(exchange& current);

/// POST /v1/series/{series}/blocks — loads a block at the end of the queue.
///
/// Body {"first","last"} as the carrier writes them, whole numbers or serials, or
/// {"first_serial","last_serial"}; and, optional, {"count","reference","valid_until"}: count as
/// decimal digits or an integer; reference up to 255 characters; valid_until a date or
/// an RFC 3339 moment. Idempotency-Key optional. Query dry_run=true: everything is checked and
/// nothing kept: 200 with "dry_run":true and no id. Else 201 with the block and its Location; 409
/// block-overlap; 422 out-of-range.
boost::asio::awaitable<result<void>> post_block(exchange& current);

}  // namespace gapless
