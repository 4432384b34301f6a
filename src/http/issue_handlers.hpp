#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// POST /v1/series/{series}/numbers — issues the next numbers of a series.
///
/// Header Idempotency-Key, required: 1 to 255 printable ASCII characters, quoted or not.
/// Body {"count":1..100000,"reference":"…","contiguous":false,"hold_seconds":600}, all optional;
/// reference up to 255 characters, none of them a control character; with hold_seconds (up to a
/// year) the numbers are held and come back unless they are confirmed in time. Query
/// numbers=true|false: list the numbers one by one, or do not; without it up to 1,000. 201 with the
/// issuance and its Location; the same again with Idempotency-Replayed: true when the request is
/// repeated. Accept: text/csv lists the numbers only, one to a line. Refusals: contract of
/// numbering::issue. Safe to repeat with the same key.
boost::asio::awaitable<result<void>> post_numbers(exchange& current);

}  // namespace gapless
