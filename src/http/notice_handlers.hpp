#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/notices ?after=&limit=&series=&kind= — {"items":[…],"next":"17"}, the oldest first. A
/// token for some series has their notices; those that concern no series are for tokens with scope
/// admin and for every series. 200; 400 for a kind that there is none of; 404 unknown-series.
///
/// With Accept: text/event-stream the same as they are published, without an end: behind
/// Last-Event-ID, else behind `after`, else from the oldest on. Where notices behind it are
/// missing, the first event is "reset". 200; 503 overloaded beyond notice_streams_max.
boost::asio::awaitable<result<void>> get_notices(exchange& current);

}  // namespace gapless
