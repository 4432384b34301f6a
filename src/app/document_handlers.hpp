#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

// None of these needs a token or the database, so they answer even when nothing else does.

/// GET /metrics — what the service counts, in the text format of Prometheus. 200. What it says of
/// series is up to 15 seconds old; its own time is among the metrics.
boost::asio::awaitable<result<void>> get_metrics(exchange& current);

/// GET /openapi.json — this interface as an OpenAPI 3.1 document. 200.
boost::asio::awaitable<result<void>> get_openapi(exchange& current);

/// GET /problems/{name} — the problem type that a refusal names, as docs/reference/refusals.md has
/// it, for people. 200; 404 not-found.
boost::asio::awaitable<result<void>> get_problem(exchange& current);

/// GET / — the page for people. It asks for a token itself, begins a session with it, and calls
/// this interface; nothing from elsewhere is loaded or run. 200 with
/// Content-Security-Policy.
boost::asio::awaitable<result<void>> get_page(exchange& current);

/// GET /page/{folder}/{file} — a script or a style of that page. 200; 404
/// not-found.
boost::asio::awaitable<result<void>> get_page_file(exchange& current);

}  // namespace gapless
