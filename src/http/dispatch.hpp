#pragma once

#include "domain/refusal.hpp"
#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>

namespace gapless {

/// Finds the route of a request and reads its path and query. Refuses with not_found,
/// method_not_allowed (then Allow is set), malformed_request.
result<void> take_route(exchange& current);

/// Bytes of body this request may have: those of its route, or the usual ones while no route was
/// found.
std::uint64_t body_bytes_max(exchange const& current) noexcept;

/// Finds out who asks and which series it is about, without asking the database. False: authorize()
/// is needed. Refuses, in this order, with unauthenticated, forbidden, unknown_series.
result<bool> authorize_from_memory(exchange& current);

/// The same with the database's help, within the share of the client's address. Also refuses with
/// overloaded and database_unavailable.
boost::asio::awaitable<result<void>> authorize(exchange& current);

/// A place in the share of the token, for a request that may wait for the database while it is
/// handled; none for others. Refuses with overloaded.
result<request_shares::place> take_place(exchange const& current);

/// There is no such series, or this token must not know: both are told with the same words.
refusal unknown_series();

/// What a request without a usable token is told.
refusal unauthenticated();

/// True for a request under /v1 without a token whose path there is none of: it does not learn
/// which there are.
bool hides_path(exchange const& current, refusal const& why) noexcept;

}  // namespace gapless
