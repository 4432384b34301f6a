#pragma once

#include "base/refusal.hpp"
#include "http/chunked_body.hpp"
#include "http/exchange.hpp"
#include "http/fault.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace gapless {

/// Finds the route of a request and reads its path and query. Refuses with not_found,
/// method_not_allowed (then Allow is set), malformed_request.
result<void> take_route(exchange& current);

/// Answers OPTIONS with the methods of its path: 204. False: the request is another one, or there
/// is no such path. `routed`: what take_route() said.
bool answer_options(exchange& current, result<void> const& routed);

/// Lets pages of the request's origin read the answer, if its origin is one of cors_origins.
void allow_origin(exchange& current);

/// What is wrong with the size of the body, told by the head alone; none: nothing. `routed`: a
/// route was found.
std::optional<fault> find_body_fault(exchange const& current, bool routed) noexcept;

/// A decoder for the chunked body of this request, with the limit of its path.
chunked_body decoder_for(exchange const& current);

/// What can be decided before the body is read and without the database: who asks, and which series
/// it is about. `routed`: what take_route() said. False: authorize() is needed. Refuses, in this
/// order, as the route does, with unauthenticated, forbidden, unknown_series.
result<bool> decide(exchange& current, result<void> const& routed);

/// A client that was refused is not asked for a long body, nor for one in chunks, nor for one it
/// waits to send; the connection then ends with the answer. Decided by the head alone, so that the
/// answer does not depend on how the bytes arrive.
bool leaves_body_unread(exchange const& current) noexcept;

/// The same with the database's help, on a place of the client's address. Also refuses with
/// overloaded and database_unavailable.
boost::asio::awaitable<result<void>> authorize(exchange& current);

/// Takes the token of a body for that of the request, whatever its scopes: exchange::who. On a
/// place of the client's address, and counted where it fails, as in authorize(). Refuses with
/// unauthenticated, too_many_requests, overloaded, database_unavailable.
boost::asio::awaitable<result<void>> take_token(exchange& current, std::string token);

/// Room for the body of a long invoice, before it is received: exchange::room. Nothing for other
/// requests. Refuses with overloaded.
result<void> take_room(exchange& current);

/// A place of the token. Refuses with overloaded.
result<concurrency_limit::place> take_token_place(exchange const& current);

/// The same for a request that may wait for the database all the time while it is handled; none for
/// others.
result<concurrency_limit::place> take_place(exchange const& current);

/// There is no such series, or this token must not know: both are told with the same words. A name
/// with capital letters cannot be one, and that is said.
refusal unknown_series(std::string_view name = {});

}  // namespace gapless
