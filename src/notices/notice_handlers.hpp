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
/// first. A token limited to some series gets their notices; those that concern no series are for
/// tokens with scope admin and all series. If notices after `after` are gone, or it is not from
/// this database: no items, "reset":true and a `next` from which nothing is missing.
///
/// With `wait` it answers as soon as there is something, else an empty list when the time is over,
/// or at once when the service stops or the database is fenced; `next` is the last seq returned,
/// else `after`. 200; 400 for an unknown kind; 401 also once the token is no longer valid; 404
/// unknown-series; 406 for Accept: text/event-stream; 503 overloaded beyond notice_waiters_max.
boost::asio::awaitable<result<void>> get_notices(exchange& current);

}  // namespace gapless
