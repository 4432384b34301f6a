#include "access/cookie_handlers.hpp"

#include "base/idempotency_key.hpp"
#include "http/dispatch.hpp"
#include "http/request_body.hpp"
#include "http/session_cookie.hpp"
#include "postgres/database_record.hpp"
#include "record/json.hpp"

namespace gapless {

namespace asio = boost::asio;

namespace {

bodies::session to_session(principal const& who, database_record const& of)
{
    bodies::session known{
        .id = {who.token_id},
        .name = who.name,
        .scopes = {},
        .series = who.series,
        .time_zone = of.time_zone,
        .today = of.today,
        .environment = of.environment,
        .last_notice = of.last_notice};
    for (auto const each : {scope::issue, scope::read, scope::load, scope::admin})
        if (who.may(each))
            known.scopes.emplace_back(name_of(each));
    return known;
}

}  // namespace

asio::awaitable<result<void>> post_session(exchange& current)
{
    if (auto const checked = check_origin(current.head); checked.has_error())
        co_return checked.error();
    if (current.head.idempotency_key)
        if (auto const key = read_idempotency_key(*current.head.idempotency_key); key.has_error())
            co_return key.error();
    auto const asked = read_body<bodies::session_draft>(current);
    if (asked.has_error())
        co_return asked.error();
    std::string shown{asked->token};
    auto const known = co_await take_token(current, std::move(shown));
    if (known.has_error())
        co_return known.error();
    current.out.status = 204;
    current.out.cookie = to_session_cookie(current.head, asked->token);
    co_return result<void>{};
}

asio::awaitable<result<void>> get_session(exchange& current)
{
    if (auto const known = co_await authorize(current); known.has_error())
        co_return known.error();
    constexpr cases::read_database wanted{};
    auto const found = co_await current.service<record_service>().read(wanted);
    if (found.has_error())
        co_return found.error();
    append_json(current.out.body, to_session(*current.who, *found));
    if (current.who->scopes == static_cast<unsigned>(scope::read) && !current.head.authorization)
        current.out.cookie = to_session_cookie(current.head, *shown_token(current.head));
    co_return result<void>{};
}

asio::awaitable<result<void>> delete_session(exchange& current)
{
    if (auto const checked = check_origin(current.head); checked.has_error())
        co_return checked.error();
    // An expired or invalid session ends just as well.
    if (!current.head.authorization && shows_token(current.head))
        if (auto const shown = shown_token(current.head);
            shown.has_error() && shown.error().kind == refusal_kind::forbidden)
            co_return shown.error();
    current.out.status = 204;
    current.out.cookie = to_ended_session(current.head);
    co_return result<void>{};
}

}  // namespace gapless
