#pragma once

#include "http/exchange.hpp"

#include <boost/asio/awaitable.hpp>

namespace gapless {

/// GET /v1/series/{series}/issuances — the ledger by ordinal.
///
/// Takes ledger_query (http/queries.hpp). 200 {"items":[…],"next":"<ordinal>"|null}; Link leads to
/// the next page.
boost::asio::awaitable<result<void>> get_ledger(exchange& current);

}  // namespace gapless
