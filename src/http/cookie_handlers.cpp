#include "http/cookie_handlers.hpp"

#include "cases/database.hpp"
#include "domain/idempotency_key.hpp"
#include "http/dispatch.hpp"
#include "http/request_body.hpp"
#include "http/session_cookie.hpp"
#include "wire/session_json.hpp"

#include <array>

namespace gapless {

namespace asio = boost::asio;

asio::awaitable<result<void>> post_session(exchange& current)
{
    if (auto const checked = check_origin(current.head); checked.has_error())
        co_return checked.error();
    if (current.head.idempotency_key)
        if (auto const key = read_idempotency_key(*current.head.idempotency_key); key.has_error())
            co_return key.error();
    std::optional<std::string> token;
    std::array<json_field, 1> const fields{{{"token", &token}}};
    if (auto const read = read_body(current, fields); read.has_error())
        co_return read.error();
    if (!token)
        co_return refusal{refusal_kind::malformed_request, "The field \"token\" is missing."};
    std::string shown{*token};
    auto const known = co_await take_token(current, std::move(shown));
    if (known.has_error())
        co_return known.error();
    current.out.status = 204;
    current.out.cookie = to_session_cookie(current.head, *token);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_session(exchange& current)
{
    if (auto const known = co_await authorize(current); known.has_error())
        co_return known.error();
    constexpr cases::read_database wanted{};
    auto const found = co_await current.service().records.read(wanted);
    if (found.has_error())
        co_return found.error();
    append_session(*current.who, *found, current.out.body);
    if (current.who->scopes == static_cast<unsigned>(scope::read) && !current.head.authorization)
        current.out.cookie = to_session_cookie(current.head, *shown_token(current.head));
    co_return result<void>{};
}

asio::awaitable<result<void>> delete_session(exchange& current)
{
    if (auto const checked = check_origin(current.head); checked.has_error())
        co_return checked.error();
    // A session that is over, or is none, ends just as well.
    if (!current.head.authorization && shows_token(current.head))
        if (auto const shown = shown_token(current.head);
            shown.has_error() && shown.error().kind == refusal_kind::forbidden)
            co_return shown.error();
    current.out.status = 204;
    current.out.cookie = to_ended_session(current.head);
    co_return result<void>{};
}

}  // namespace gapless
