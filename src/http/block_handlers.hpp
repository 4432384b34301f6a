#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

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

/// POST /v1/proposals/{id}/confirm — loads what somebody else proposed. 201 as the load would have
/// been; 403 for one's own; 404 not-found; 409 state-conflict, block-overlap.
boost::asio::awaitable<result<void>> post_proposal_confirmation(exchange& current);

}  // namespace gapless
