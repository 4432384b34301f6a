#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/series — every series this token sees, by name: {"items":[…],"next":null}. 200.
boost::asio::awaitable<result<void>> get_all_series(exchange& current);

/// POST /v1/series — creates a series.
///
/// Body {"name","carrier"} and, optional,
/// {"space","format","params","on_release","on_expiry","low_water","reuse_after",
/// "reserve_numbers"}; the format is one of GET /v1/formats, reuse_after an interval such as
/// "12 months", reserve_numbers 1..lease_numbers_max. Idempotency-Key optional.
/// 201 with the series and its Location; 409 state-conflict when the name is taken; 422
/// out-of-range.
boost::asio::awaitable<result<void>> post_series(exchange& current);

/// GET /v1/series/{series} — the series and where it stands. 200 with ETag.
boost::asio::awaitable<result<void>> get_series(exchange& current);

/// PATCH /v1/series/{series} — changes what an operator may change.
///
/// Body {"paused","low_water","on_release","on_expiry","reuse_after","reserve_numbers"}, all
/// optional; null removes low_water, reuse_after and the reserve.
/// If-Match: the ETag of the version that is to be changed, or *; a weak one never matches. 200
/// with the series and its new ETag; 412 precondition-failed; 422 out-of-range.
boost::asio::awaitable<result<void>> patch_series(exchange& current);

/// GET /v1/verify/{series} — recomputes the proof: {"findings":[…],"checked":{…}}. 200, also with
/// findings.
boost::asio::awaitable<result<void>> get_verification(exchange& current);

}  // namespace gapless
