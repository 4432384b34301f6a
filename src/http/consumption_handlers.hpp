#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/series/{series}/consumption —
/// {"series","today","used_today","days":[{"date","numbers"}], "remaining","forecast"}, the latest
/// day last; query days=1…420, default 42. 200; 422 out-of-range.
boost::asio::awaitable<result<void>> get_consumption(exchange& current);

}  // namespace gapless
