#include "http/dispatch.hpp"

#include "base/log.hpp"
#include "http/access_service.hpp"
#include "http/series_lookup.hpp"
#include "http/session_cookie.hpp"

#include <algorithm>
#include <optional>

namespace gapless {

namespace {

namespace asio = boost::asio;

/// True for a request under /v1 without a token whose path does not exist: such a client must not
/// learn which paths exist. OPTIONS is exempt, since browsers send it without a token.
bool hides_path(exchange const& current, refusal const& why) noexcept
{
    return current.head.target.starts_with("/v1/") && !shows_token(current.head) &&
           why.kind == refusal_kind::not_found;
}

/// The body limit of this request: that of its route, or the usual one if no route was found.
std::uint64_t body_bytes_max(exchange const& current) noexcept
{
    auto const& limits = current.state.limits;
    auto const size = current.matched ? current.matched->body : body_size::usual;
    return size == body_size::invoice ? limits.invoice_bytes_max
           : size == body_size::large ? limits.large_body_bytes_max
                                      : limits.body_bytes_max;
}

fault too_large(exchange const& current) noexcept
{
    return {
        413,
        "The body is larger than {} bytes, the most that this path takes (settings body_bytes_max, "
        "large_body_bytes_max, invoice_bytes_max): send less at once.",
        body_bytes_max(current)};
}

/// Counts a token that is not valid, for that reason.
refusal note_failure(exchange const& current, refusal const& why)
{
    auto const noted = current.state.throttle.note(current.peer, auth_throttle::clock::now());
    if (noted.to_log)
        log_event(
            log_level::warning,
            "too_many_failed_tokens",
            {{"address", current.peer.to_string()},
             {"per_minute_max", current.state.limits.failed_tokens_per_minute_max}}
        );
    return noted.wait > noted.wait.zero() ? auth_throttle::too_many(noted.wait) : why;
}

/// Counts a request of a token with a rate. Refuses with too_many_requests.
result<void> count_request(exchange const& current)
{
    return current.who->limits.rate > 0
               ? current.service<access_service>().count_request(*current.who)
               : result<void>{};
}

/// Asks the database for the token's principal and counts the request. An address that sent too
/// many invalid tokens gets only a few looked up at a time.
asio::awaitable<result<void>> identify(exchange& current, std::string token)
{
    auto const turn =
        current.state.throttle.begin_look_up(current.peer, auth_throttle::clock::now());
    if (turn.has_error())
        co_return turn.error();
    auto found = co_await current.service<access_service>().identify(std::move(token));
    if (found.has_error() && found.error().kind == refusal_kind::unauthenticated)
        co_return note_failure(current, found.error());
    if (found.has_error())
        co_return found.error();
    current.who = std::move(*found);
    co_return count_request(current);
}

/// Whether the token is the one that the request is meant for, and may use this path. All tabs of a
/// browser send one cookie: another one may have signed in somebody else meanwhile. Refuses with
/// unauthenticated, forbidden.
result<void> check_token(exchange const& current)
{
    auto const& meant = current.head.token_id;
    if (meant && *meant != std::to_string(current.who->token_id))
        return refusal{
            refusal_kind::unauthenticated,
            "Gapless-Token-Id names another token than the one that was sent: somebody else has "
            "signed in. Sign in again."};
    auto const& needed = current.matched->needs;
    if (!needed || current.who->may(*needed))
        return {};
    return refusal{
        refusal_kind::forbidden,
        "The token lacks the scope " + std::string{name_of(*needed)} + ", which this path needs."};
}

/// Only series are resolved by name, and {series} is the first parameter of any path.
std::string_view series_name(exchange const& current) noexcept
{
    return current.path[0];
}

/// Stores the series of the path; null: it is not known yet.
void take_series(exchange& current, series_lookup const& all, series_entry const* series) noexcept
{
    current.series = series;
    current.series_id = series ? all.id_of(*series) : 0;
}

/// Identifies the client and the series. Returns false if the database has to be asked. Refuses, in
/// this order, with unauthenticated, forbidden, unknown_series.
result<bool> authorize_from_memory(exchange& current)
{
    if (!current.matched->needs)
        return true;
    auto const token = shown_token(current.head);
    if (token.has_error())
        return token.error();
    current.who = current.service<access_service>().known_principal(*token);
    if (!current.who)
        return false;
    if (auto const counted = count_request(current); counted.has_error())
        return counted.error();
    if (auto const allowed = check_token(current); allowed.has_error())
        return allowed.error();
    if (!current.matched->has_series())
        return true;
    // Checked before the series is looked up, so that a foreign series takes as long as a missing
    // one.
    if (!current.who->sees(series_name(current)))
        return unknown_series(series_name(current));
    auto const& all = current.service<series_lookup>();
    take_series(current, all, all.known_series(series_name(current)));
    return current.series != nullptr;
}

}  // namespace

refusal unknown_series(std::string_view name)
{
    if (name.ends_with(' ') || name.starts_with(' '))
        return {
            refusal_kind::unknown_series,
            "The name of the series in the path begins or ends with a blank: leave it out."};
    auto const has_capital = std::ranges::any_of(name, [](char c) { return c >= 'A' && c <= 'Z'; });
    return {
        refusal_kind::unknown_series,
        has_capital
            ? "Names of series have no capital letters: write it in lower case."
            : "No series of this name is visible to this token; GET /v1/series lists them."};
}

result<void> take_route(exchange& current)
{
    auto const target = current.head.target;
    auto const mark = target.find('?');
    auto const found = find_route(
        current.state.routes,
        current.head.verb,
        target.substr(0, mark),
        current.path,
        current.out.allow
    );
    if (found.has_error())
        return found.error();
    current.matched = *found;
    current.out.allow.clear();
    auto const query =
        mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1);
    current.more_query.clear();
    auto* const more = current.matched->takes_more_query ? &current.more_query : nullptr;
    return current.query.read(query, current.matched->query, more);
}

bool answer_options(exchange& current, result<void> const& routed)
{
    if (current.head.verb != boost::beast::http::verb::options || current.out.allow.empty() ||
        routed.has_value())
        return false;
    current.out.status = 204;
    current.out.allow += ", OPTIONS";
    return true;
}

void allow_origin(exchange& current)
{
    auto const& allowed = current.state.limits.cors_origins;
    auto const& origin = current.head.origin;
    if (allowed.empty() || !origin)
        return;
    auto const any = std::ranges::find(allowed, "*") != allowed.end();
    if (any || std::ranges::find(allowed, *origin) != allowed.end())
        current.out.cors_origin = any ? std::string_view{"*"} : *origin;
}

std::optional<fault> find_body_fault(exchange const& current, bool routed) noexcept
{
    auto const length = current.head.content_length;
    if (length > body_bytes_max(current))
        return too_large(current);
    if (routed && length > 0 && current.matched->body == body_size::none)
        return fault{400, "This path takes no body."};
    if ((length > 0 || current.head.is_chunked) && current.head.is_encoded)
        return fault{415, "Content-Encoding is not accepted: send the body uncompressed."};
    return std::nullopt;
}

chunked_body decoder_for(exchange const& current)
{
    return {body_bytes_max(current), too_large(current)};
}

result<bool> decide(exchange& current, result<void> const& routed)
{
    if (routed.has_value())
        return authorize_from_memory(current);
    return hides_path(current, routed.error()) ? unauthenticated() : routed.error();
}

bool leaves_body_unread(exchange const& current) noexcept
{
    auto const& head = current.head;
    return head.is_chunked ||
           (head.content_length > 0 &&
            (head.expects_continue || head.content_length > current.state.limits.body_bytes_max));
}

result<void> take_room(exchange& current)
{
    auto& state = current.state;
    if (current.matched->body != body_size::invoice ||
        (!current.head.is_chunked &&
         current.head.content_length <= state.limits.large_body_bytes_max))
        return {};
    if (state.invoices >= state.limits.invoices_max)
        return refusal{
            refusal_kind::overloaded,
            "other invoices are on their way; try again when they are done"};
    ++state.invoices;
    current.room = std::shared_ptr<void>{nullptr, [&state](void*) { --state.invoices; }};
    return {};
}

result<concurrency_limit::place> take_token_place(exchange const& current)
{
    return current.state.places.take("token " + std::to_string(current.who->token_id));
}

result<concurrency_limit::place> take_place(exchange const& current)
{
    if (!current.who || current.matched->without_place)
        return concurrency_limit::place{};
    return take_token_place(current);
}

asio::awaitable<result<void>> take_token(exchange& current, std::string token)
{
    auto const place = current.state.places.take("address " + current.peer.to_string());
    if (place.has_error())
        co_return place.error();
    co_return co_await identify(current, std::move(token));
}

asio::awaitable<result<void>> look_at_token_again(exchange& current)
{
    auto& access = current.service<access_service>();
    auto const shown = shown_token(current.head);
    if (shown.has_error())
        co_return shown.error();
    if (auto known = access.known_principal(*shown))
    {
        current.who = std::move(known);
        co_return result<void>{};
    }
    auto const place = take_token_place(current);
    if (place.has_error())
        co_return place.error();
    std::string token{*shown};
    auto identified = co_await access.identify(std::move(token));
    if (identified.has_error())
        co_return identified.error();
    current.who = std::move(*identified);
    co_return result<void>{};
}

asio::awaitable<result<void>> authorize(exchange& current)
{
    auto const place = current.state.places.take("address " + current.peer.to_string());
    if (place.has_error())
        co_return place.error();
    if (!current.who)
    {
        auto const shown = shown_token(current.head);
        if (shown.has_error())
            co_return shown.error();
        std::string token{*shown};
        auto const identified = co_await identify(current, std::move(token));
        if (identified.has_error())
            co_return identified.error();
        if (auto const allowed = check_token(current); allowed.has_error())
            co_return allowed.error();
    }
    if (!current.matched->has_series())
        co_return result<void>{};
    if (!current.who->sees(series_name(current)))
        co_return unknown_series(series_name(current));
    std::string name{series_name(current)};
    auto& all = current.service<series_lookup>();
    auto const found = co_await all.find_series(std::move(name));
    if (found.has_error() && found.error().kind == refusal_kind::unknown_series)
        co_return unknown_series(series_name(current));
    if (found.has_error())
        co_return found.error();
    take_series(current, all, *found);
    co_return result<void>{};
}

}  // namespace gapless
