#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/series/{series}/leases ?after=&limit=: numbers that instances have for the time when the
/// database is away; the oldest lease first, also those that are at their end.
boost::asio::awaitable<result<void>> get_leases(exchange& current);

}  // namespace gapless
