#include "http/dispatch.hpp"

#include "base/log.hpp"

#include <boost/beast/core/string.hpp>

#include <optional>

namespace gapless {

namespace {

namespace asio = boost::asio;

/// The token of an Authorization field, or none: scheme Bearer, one space or more, no space inside.
std::optional<std::string_view> bearer_token(request_head const& head) noexcept
{
    constexpr std::string_view scheme{"Bearer "};
    if (!head.authorization || head.authorization->size() <= scheme.size())
        return std::nullopt;
    if (!boost::beast::iequals(head.authorization->substr(0, scheme.size()), scheme))
        return std::nullopt;
    auto token = head.authorization->substr(scheme.size());
    while (token.starts_with(' '))
        token.remove_prefix(1);
    if (token.empty() || token.find_first_of(" \t,") != std::string_view::npos)
        return std::nullopt;
    return token;
}

refusal too_many_failures(failed_tokens::clock::duration wait)
{
    return {
        refusal_kind::too_many_requests,
        "Too many tokens from this address were not in force. Good tokens go on working; check "
        "this one before it is tried again.",
        std::chrono::ceil<std::chrono::seconds>(wait)};
}

/// The token is not in force, for that reason: counts it.
refusal note_failure(
    exchange const& current, refusal const& why, failed_tokens::clock::duration blocked
)
{
    auto const crossed = current.state.failures.note(current.peer, failed_tokens::clock::now());
    if (crossed)
        log_event(
            log_level::warning,
            "too_many_failed_tokens",
            {{"address", current.peer.to_string()},
             {"per_minute_max", current.state.limits.failed_tokens_per_minute_max}}
        );
    return blocked > blocked.zero() ? too_many_failures(blocked) : why;
}

/// Ends a look-up of a blocked address, however it went.
class look_up_of_blocked
{
public:
    explicit look_up_of_blocked(exchange& current)
        : current_{current},
          begun_{current.state.failures.begin_look_up(current.peer)}
    {
    }
    ~look_up_of_blocked()
    {
        if (begun_)
            current_.state.failures.end_look_up(current_.peer);
    }
    look_up_of_blocked(look_up_of_blocked const&) = delete;
    look_up_of_blocked& operator=(look_up_of_blocked const&) = delete;

    bool begun() const noexcept { return begun_; }

private:
    exchange& current_;
    bool begun_;
};

using identity = result<std::shared_ptr<principal const>>;

/// Asks the database whose token it is. A token of a blocked address gets its turn only while few
/// others of that address are looked up.
asio::awaitable<identity> identify(exchange& current)
{
    auto& failures = current.state.failures;
    auto const blocked = failures.blocked_for(current.peer, failed_tokens::clock::now());
    std::optional<look_up_of_blocked> turn;
    if (blocked > blocked.zero() && !turn.emplace(current).begun())
        co_return too_many_failures(blocked);
    auto const presented = bearer_token(current.head);
    if (!presented)
        co_return unauthenticated();
    std::string token{*presented};
    auto found = co_await current.service().identify(std::move(token));
    if (found.has_error() && found.error().kind == refusal_kind::unauthenticated)
        co_return note_failure(current, found.error(), blocked);
    co_return found;
}

/// What may be asked of a request whose token is known.
result<void> admit(exchange const& current)
{
    if (current.who->limits.rate > 0)
        if (auto const counted = current.service().count_request(*current.who); counted.has_error())
            return counted.error();
    auto const& needed = current.matched->needs;
    if (!needed || current.who->may(*needed))
        return {};
    return refusal{refusal_kind::forbidden, "The token lacks the scope this path needs."};
}

/// Only series are resolved by name, and {series} is the first parameter wherever it stands.
std::string_view series_name(exchange const& current) noexcept
{
    return current.path[0];
}

}  // namespace

refusal unauthenticated()
{
    return {
        refusal_kind::unauthenticated, "Send Authorization: Bearer and a token that is in force."};
}

bool hides_path(exchange const& current, refusal const& why) noexcept
{
    return current.head.target.starts_with("/v1/") && !current.head.authorization &&
           why.kind == refusal_kind::not_found;
}

refusal unknown_series()
{
    return {refusal_kind::unknown_series, "No series of this name is visible to this token."};
}

result<void> take_route(exchange& current)
{
    auto const target = current.head.target;
    auto const mark = target.find('?');
    auto const found =
        find_route(current.head.verb, target.substr(0, mark), current.path, current.out.allow);
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

std::uint64_t body_bytes_max(exchange const& current) noexcept
{
    auto const& limits = current.state.limits;
    return current.matched && current.matched->body == body_size::large
               ? limits.large_body_bytes_max
               : limits.body_bytes_max;
}

result<bool> authorize_from_memory(exchange& current)
{
    if (!current.matched->needs)
        return true;
    auto const token = bearer_token(current.head);
    if (!token)
        return unauthenticated();
    current.who = current.service().known_principal(*token);
    if (!current.who)
        return false;
    if (auto const allowed = admit(current); allowed.has_error())
        return allowed.error();
    if (!current.matched->has_series())
        return true;
    // Asked before the series is looked up, so that a foreign series takes as long as a missing
    // one.
    if (!current.who->sees(series_name(current)))
        return unknown_series();
    current.series = current.service().known_series(series_name(current));
    return current.series != nullptr;
}

result<request_shares::place> take_place(exchange const& current)
{
    if (!current.who || current.matched->queued)
        return request_shares::place{};
    return current.state.shares.take("token " + std::to_string(current.who->token_id));
}

asio::awaitable<result<void>> authorize(exchange& current)
{
    auto const place = current.state.shares.take("address " + current.peer.to_string());
    if (place.has_error())
        co_return place.error();
    if (!current.who)
    {
        auto identified = co_await identify(current);
        if (identified.has_error())
            co_return identified.error();
        current.who = std::move(*identified);
        if (auto const allowed = admit(current); allowed.has_error())
            co_return allowed.error();
    }
    if (!current.matched->has_series())
        co_return result<void>{};
    if (!current.who->sees(series_name(current)))
        co_return unknown_series();
    std::string name{series_name(current)};
    auto const found = co_await current.service().find_series(std::move(name));
    if (found.has_error() && found.error().kind == refusal_kind::unknown_series)
        co_return unknown_series();
    if (found.has_error())
        co_return found.error();
    current.series = *found;
    co_return result<void>{};
}

}  // namespace gapless
