#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/series/{series}/blocks — the blocks in the order they are used: {"items":[…],"next":…};
/// query after=, limit=. 200.
boost::asio::awaitable<result<void>> get_blocks(exchange& current);

/// GET /v1/series/{series}/blocks/{id} — one block. 200; 404 not-found.
boost::asio::awaitable<result<void>> get_block(exchange& current);

/// POST /v1/series/{series}/blocks — loads a block at the end of the queue.
///
/// Body {"first","last"} as the carrier writes them, whole numbers or serials, or
/// {"first_serial","last_serial"}; and, optional, {"count","reference","valid_until",
/// "issued_until","confirm_warnings"}: count as decimal digits or an integer; reference up to 255
/// characters; valid_until a date or an RFC 3339 moment; issued_until the last number that another
/// system issued; confirm_warnings the codes of warnings that were looked at. Idempotency-Key
/// optional. Query dry_run=true: everything is checked and nothing kept: 200 with "dry_run":true
/// and no id. Else 201 with the block and its Location, or 202 with a proposal where two people
/// load. All have "warnings". 409 block-overlap, confirmation-needed; 422 out-of-range.
///
/// Or a body text/csv, a table of blocks as read_block_file takes it: all or none of them; answers
/// have {"items":[block]}, and 409 and 422 "faults":[{"line","column","what"}]. Query
/// confirm_warnings=code,code, with either body.
boost::asio::awaitable<result<void>> post_block(exchange& current);

/// POST /v1/series/{series}/blocks/{id}/move — {"before":"7"} or {"last":true}: to another place in
/// the queue. 200 with the block; 404 not-found; 409 state-conflict.
boost::asio::awaitable<result<void>> post_block_move(exchange& current);

/// POST …/close — {"reason"}: never issues the rest of a queued or open block. 200 with the block;
/// 404 not-found; 409 state-conflict.
boost::asio::awaitable<result<void>> post_block_close(exchange& current);

/// POST …/withdraw — {"reason"}: takes back a block of which no number ever left; repeatable. 200
/// with the block; 404 not-found; 409 state-conflict.
boost::asio::awaitable<result<void>> post_block_withdrawal(exchange& current);

/// POST …/recall — {"reason"}: ends a block that the carrier rejects, and voids what of it is held
/// or came back; repeatable. 200 with the block; 404 not-found; 409 state-conflict.
boost::asio::awaitable<result<void>> post_block_recall(exchange& current);

}  // namespace gapless
