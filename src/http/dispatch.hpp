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
/// method_not_allowed (and sets Allow), malformed_request.
result<void> take_route(exchange& current);

/// Answers OPTIONS with the methods of its path: 204. Returns false for other methods and unknown
/// paths. `routed`: the result of take_route().
bool answer_options(exchange& current, result<void> const& routed);

/// Lets pages of the request's origin read the answer, if its origin is one of cors_origins.
void allow_origin(exchange& current);

/// What is wrong with the size of the body, judged by the head alone; nullopt: nothing. `routed`: a
/// route was found.
std::optional<fault> find_body_fault(exchange const& current, bool routed) noexcept;

/// A decoder for the chunked body of this request, with the limit of its path.
chunked_body decoder_for(exchange const& current);

/// Decides what needs neither the body nor the database: the client, and the series. `routed`: the
/// result of take_route(). Returns false if authorize() is needed. Refuses, in this order, as the
/// route does, with unauthenticated, forbidden, unknown_series.
result<bool> decide(exchange& current, result<void> const& routed);

/// Whether the body stays unread: a refused client is asked for no long or chunked body, nor for
/// one that it waits to send; the connection then ends with the answer. Decided by the head alone,
/// so that the answer does not depend on how the bytes arrive.
bool leaves_body_unread(exchange const& current) noexcept;

/// The same with the help of the database, on a place of the client's address. Also refuses with
/// overloaded and database_unavailable.
boost::asio::awaitable<result<void>> authorize(exchange& current);

/// Looks up again the token of a request that had one, after a wait in which it may have been
/// revoked. Counts nothing; on a place of the token. Refuses with unauthenticated, overloaded,
/// database_unavailable.
boost::asio::awaitable<result<void>> look_at_token_again(exchange& current);

/// Uses a token from the body as that of the request, whatever its scopes: exchange::who. On a
/// place of the client's address, and a failure counts, as in authorize(). Refuses with
/// unauthenticated, too_many_requests, overloaded, database_unavailable.
boost::asio::awaitable<result<void>> take_token(exchange& current, std::string token);

/// Takes room for the body of a long invoice before it is received: exchange::room. Nothing for
/// other requests. Refuses with overloaded.
result<void> take_room(exchange& current);

/// Takes a place of the token. Refuses with overloaded.
result<concurrency_limit::place> take_token_place(exchange const& current);

/// The same for a request that may occupy a database thread the whole time; an empty place for
/// others.
result<concurrency_limit::place> take_place(exchange const& current);

/// The series does not exist or is hidden from this token: the same words for both. A name with
/// capital letters cannot exist, and the text says so.
refusal unknown_series(std::string_view name = {});

}  // namespace gapless
