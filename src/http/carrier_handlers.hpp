#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

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
