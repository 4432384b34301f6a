#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/verify/{series} — recomputes the proof: {"findings":[…],"checked":{…}}. 200, also with
/// findings.
boost::asio::awaitable<result<void>> get_verification(exchange& current);

}  // namespace gapless
