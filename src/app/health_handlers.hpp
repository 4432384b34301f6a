#pragma once

#include "http/exchange.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace gapless::queries {

struct readiness_query
{
    std::optional<std::string> series;
};
GAPLESS_RECORD(readiness_query, (), (series, "Of this series only."))

}  // namespace gapless::queries

namespace gapless {

/// GET /livez — 200 {"status":"ok"} while the process answers at all. No database access.
boost::asio::awaitable<result<void>> get_liveness(exchange& current);

/// GET /readyz ?series= — 200 if numbers can be issued, else 503 with Retry-After; in both cases
/// with each part of the result. With a series also 200, "status":"degraded", while it is served
/// from a reserve; 404 unknown-series.
boost::asio::awaitable<result<void>> get_readiness(exchange& current);

}  // namespace gapless
