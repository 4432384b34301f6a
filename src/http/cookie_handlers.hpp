#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// POST /v1/session {"token"}: gives a browser the token as a cookie that its scripts cannot read.
/// 204 with Set-Cookie; 401 for a token that is not in force, 429 when too many of the address were
/// not, 403 from a page of another host.
boost::asio::awaitable<result<void>> post_session(exchange& current);

/// GET /v1/session — whose token it is, and what a page has to know of the database: {"id","name",
/// "scopes","series","time_zone","today","environment"}. A cookie whose token only reads lasts
/// twelve hours from now again, so that a screen on a wall stays signed in. 200; 401 without a
/// token that is in force.
boost::asio::awaitable<result<void>> get_session(exchange& current);

/// DELETE /v1/session: takes the cookie away. 204, also without one; 403 from a page of another
/// host. The token stays in force.
boost::asio::awaitable<result<void>> delete_session(exchange& current);

}  // namespace gapless
