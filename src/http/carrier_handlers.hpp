#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/carriers — {"items":[…],"next":null}, by code. 200.
boost::asio::awaitable<result<void>> get_carriers(exchange& current);

/// GET /v1/carriers/{code} — one carrier. 200; 404 not-found.
boost::asio::awaitable<result<void>> get_carrier(exchange& current);

/// PATCH /v1/carriers/{code} — {"lead_days":7,"four_eyes":false}, both optional. 200 with the
/// carrier; 202 while switching four eyes off waits for somebody else; 404 not-found; 422
/// out-of-range.
boost::asio::awaitable<result<void>> patch_carrier(exchange& current);

/// GET /v1/proposals — {"items":[…],"next":…}, by id; query after=, limit=. 200.
boost::asio::awaitable<result<void>> get_proposals(exchange& current);

/// GET /v1/proposals/{id} — one proposal. 200; 404 not-found.
boost::asio::awaitable<result<void>> get_proposal(exchange& current);

/// POST /v1/proposals/{id}/confirm — loads what somebody else proposed. 201 as the load would have
/// been; 403 for one's own; 404 not-found; 409 state-conflict, block-overlap.
boost::asio::awaitable<result<void>> post_proposal_confirmation(exchange& current);

/// POST /v1/proposals/{id}/reject — 200 with the proposal; 404 not-found; 409 state-conflict.
boost::asio::awaitable<result<void>> post_proposal_rejection(exchange& current);

}  // namespace gapless
