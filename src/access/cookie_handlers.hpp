#pragma once

#include "http/exchange.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless::bodies {

struct session_draft
{
    std::string token;
};
GAPLESS_RECORD(session_draft, (), (token, "The token that the cookie shall hold."))

/// The client, and the basic facts of the database.
struct session
{
    record_id id;
    std::string name;
    std::vector<std::string> scopes;
    std::optional<std::vector<std::string>> series;
    std::string time_zone;
    std::string today;
    std::optional<std::string> environment;
    quoted<std::int64_t> last_notice;
};
GAPLESS_RECORD(
    session,
    (),
    (id, "Id of the token."),
    (name, "Whose it is."),
    (scopes, "What it allows."),
    (series, "Null: every series."),
    (time_zone, "Where the database's days begin: a name of the IANA database."),
    (today, "The day it is there."),
    (environment, "What the database belongs to; null: nobody named it."),
    (last_notice, "The seq of the latest notice; 0: none was published.")
)

}  // namespace gapless::bodies

namespace gapless {

/// POST /v1/session {"token"}: gives a browser the token as a cookie that scripts cannot read. 204
/// with Set-Cookie; 401 for a token that is not valid, 429 after too many such tokens from the
/// address, 403 from a page of another host.
boost::asio::awaitable<result<void>> post_session(exchange& current);

/// GET /v1/session — the token's owner, and what a page needs to know of the database:
/// {"id","name","scopes","series","time_zone","today","environment"}. Extends the cookie of a
/// read-only token to twelve hours from now, so that a wall screen stays signed in. 200; 401
/// without a valid token.
boost::asio::awaitable<result<void>> get_session(exchange& current);

/// DELETE /v1/session: removes the cookie. 204, also without one; 403 from a page of another host.
/// The token stays valid.
boost::asio::awaitable<result<void>> delete_session(exchange& current);

}  // namespace gapless
