#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/tokens ?after=&limit=: tokens by id, without their secrets; those of its own series for
/// a token that is for some.
boost::asio::awaitable<result<void>> get_tokens(exchange& current);

/// POST /v1/tokens {"name","scopes","series","expires_at","rate","burst","daily_quota"}: 201 with
/// the token, this once; 403 beyond the caller's own scopes or series. A repeated key is 409, since
/// nobody knows the secret any more.
boost::asio::awaitable<result<void>> post_token(exchange& current);

/// DELETE /v1/tokens/{id}: takes it out of force; 204, repeatable. 404, and 403 as above.
boost::asio::awaitable<result<void>> delete_token(exchange& current);

}  // namespace gapless
