#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/series/{series}/numbers/{number} — what became of a number, in any spelling a person or
/// a scanner gives it. 200; 404 unknown-number, saying why it is none of this series.
boost::asio::awaitable<result<void>> get_number(exchange& current);

/// GET /v1/numbers/{number} — the same in every series this token sees.
boost::asio::awaitable<result<void>> search_number(exchange& current);

/// POST /v1/series/{series}/events — records what happened to numbers.
///
/// Body {"kind","ranges":[{"first","last"}]} and, optional, {"reason","force"}: kind is printed,
/// reprinted, voided (with a reason; force also takes manifested and returned numbers), manifested
/// or returned; up to 10,000 ranges, last may be left out. Idempotency-Key optional. 201 with how
/// many numbers it concerns; 404 unknown-number; 409 state-conflict; 422 out-of-range.
boost::asio::awaitable<result<void>> post_event(exchange& current);

/// GET /v1/series/{series}/issuances — the ledger by ordinal.
///
/// Query after=<ordinal>, limit=1..1000 (100), reference=…, from=… and to=… (a date or RFC 3339,
/// both included). 200 {"items":[…],"next":"<ordinal>"|null}; Link leads to the next page.
boost::asio::awaitable<result<void>> get_ledger(exchange& current);

}  // namespace gapless
