#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// DELETE /v1/tokens/{id}: revokes it; 204, repeatable. Refuses with not_found, forbidden.
boost::asio::awaitable<result<void>> delete_token(exchange& current);

}  // namespace gapless
