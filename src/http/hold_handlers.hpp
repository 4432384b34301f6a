#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/holds ?series=&after=&limit=: holds that have numbers still held, by expiry. A token for
/// some series sees those of its own; any other series does not exist for it.
boost::asio::awaitable<result<void>> get_holds(exchange& current);

}  // namespace gapless
