#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

// None of these needs a token or the database, so they answer even if nothing else does.

/// GET /metrics — the service's metrics, in the text format of Prometheus. 200. The figures of
/// series are up to 15 seconds old; the time when they were read is among the metrics.
boost::asio::awaitable<result<void>> get_metrics(exchange& current);

/// GET /openapi.json — this interface as an OpenAPI 3.1 document. 200.
boost::asio::awaitable<result<void>> get_openapi(exchange& current);

/// GET /problems/{name} — the problem type of a refusal, from docs/reference/refusals.md, for
/// people. 200; 404 not-found.
boost::asio::awaitable<result<void>> get_problem(exchange& current);

/// GET / — the page for people. It asks for a token itself, begins a session with it, and calls
/// this interface; it loads and runs nothing from elsewhere. 200 with Content-Security-Policy.
boost::asio::awaitable<result<void>> get_page(exchange& current);

/// GET /page/{folder}/{file} — a script or a style of that page. 200; 404
/// not-found.
boost::asio::awaitable<result<void>> get_page_file(exchange& current);

}  // namespace gapless
