#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/series/{series}/issuances — the ledger by ordinal.
///
/// Query after=<ordinal>, limit=1..1000 (100), reference=…, from=… and to=… (a date or RFC 3339,
/// both included). 200 {"items":[…],"next":"<ordinal>"|null}; Link leads to the next page.
boost::asio::awaitable<result<void>> get_ledger(exchange& current);

}  // namespace gapless
