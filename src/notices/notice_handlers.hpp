#pragma once

#include "http/exchange.hpp"
#include "record/describe.hpp"
#include "record/page.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace gapless::queries {

struct notice_query : page
{
    std::optional<std::string> series;
    std::optional<std::string> kind;
    std::optional<bounded<0, 30>> wait;
};
GAPLESS_RECORD(
    notice_query,
    (page),
    (series, "Of this series only."),
    (kind, "Of this kind only."),
    (wait,
     "Seconds to wait for a notice if there is none behind `after`. Ask again behind `next`, which "
     "is then never null.")
)

}  // namespace gapless::queries

namespace gapless {

/// GET /v1/notices ?after=&limit=&series=&kind=&wait= — {"items":[…],"next":"17"}, the oldest
/// first. A token for some series has their notices; those that concern no series are for tokens
/// with scope admin and for every series. Where notices behind `after` are gone, or it is none of
/// this database: no items, "reset":true and a `next` behind which all is there.
///
/// With `wait` it is answered as soon as there is something, else empty once the time is over, or
/// at once when the service stops or the database is fenced; `next` is the last seq told, else
/// `after`. 200; 400 for a kind that there is none of; 401 also once the token is no longer in
/// force; 404 unknown-series; 406 for Accept: text/event-stream; 503 overloaded beyond
/// notice_waiters_max.
boost::asio::awaitable<result<void>> get_notices(exchange& current);

}  // namespace gapless
