#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <string_view>

namespace gapless {

// None of these asks for a token or the database, so they answer whatever else does not.

/// GET /metrics — what the service counts, in the text format of Prometheus. 200. What it says of
/// series is up to 15 seconds old; its own time is among the metrics.
boost::asio::awaitable<result<void>> get_metrics(exchange& current);

/// GET /openapi.json — this interface as an OpenAPI 3.1 document. 200.
boost::asio::awaitable<result<void>> get_openapi(exchange& current);

/// GET / — a page for people: what is left of every series. It asks for a token itself and sends it
/// to GET /v1/series; nothing from elsewhere is loaded. 200.
boost::asio::awaitable<result<void>> get_dashboard(exchange& current);

/// A Content-Security-Policy that allows a page its own script and style, told by their hashes, and
/// requests to its own origin; nothing else.
std::string to_security_policy(std::string_view page);

}  // namespace gapless
