#pragma once

#include "http/exchange.hpp"
#include "record/operation.hpp"

#include <boost/asio/awaitable.hpp>

#include <vector>

namespace gapless {

/// Handles every route that is an operation: reads the input from path, query and body, runs the
/// operation (a POST once per Idempotency-Key), and writes the answer.
boost::asio::awaitable<result<void>> answer_operation(exchange& current);

/// Appends the routes of a feature. They refer to its table, which has to outlive them.
void append_routes(std::vector<route>& rows, feature const& added);

}  // namespace gapless
