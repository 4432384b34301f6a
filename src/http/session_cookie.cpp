#include "http/session_cookie.hpp"

#include <boost/asio/ip/address.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/verb.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gapless {

namespace {

using boost::beast::iequals;
using boost::beast::http::verb;

constexpr std::string_view cookie_name{"gapless_session"};

/// The token of an Authorization field, or nullopt: scheme Bearer, spaces, no space inside.
std::optional<std::string_view> bearer_token(std::string_view authorization) noexcept
{
    constexpr std::string_view scheme{"Bearer "};
    if (authorization.size() <= scheme.size() ||
        !iequals(authorization.substr(0, scheme.size()), scheme))
        return std::nullopt;
    auto token = authorization.substr(scheme.size());
    while (token.starts_with(' '))
        token.remove_prefix(1);
    // One search for each character: find_first_of would start one per character of the token.
    auto const has = [token](char c) { return token.find(c) != std::string_view::npos; };
    if (token.empty() || has(' ') || has('\t') || has(','))
        return std::nullopt;
    return token;
}

/// Another scheme, none at all, or spaces inside the token.
refusal no_bearer()
{
    return {
        refusal_kind::unauthenticated,
        "Authorization has to be the word Bearer, a blank, and a token, which has none inside."};
}

/// The value of the session cookie; nullopt: there is none. Empty if it comes twice: a neighbour of
/// the host may have set the other one.
std::optional<std::string_view> session_token(request_head const& head) noexcept
{
    std::optional<std::string_view> found;
    auto rest = head.cookie.value_or(std::string_view{});
    while (!rest.empty())
    {
        auto pair = rest.substr(0, rest.find(';'));
        rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
        while (pair.starts_with(' ') || pair.starts_with('\t'))
            pair.remove_prefix(1);
        while (pair.ends_with(' ') || pair.ends_with('\t'))
            pair.remove_suffix(1);
        if (!pair.starts_with(cookie_name) || !pair.substr(cookie_name.size()).starts_with('='))
            continue;
        found = found ? std::string_view{} : pair.substr(cookie_name.size() + 1);
    }
    return found;
}

/// Removes the scheme's default port: browsers leave it out, others may not.
std::string_view without_usual_port(std::string_view authority, std::string_view port) noexcept
{
    return authority.ends_with(port) ? authority.substr(0, authority.size() - port.size())
                                     : authority;
}

/// Whether an Origin is the host that was asked. Its scheme is ignored: a proxy that ends TLS in
/// front of us connects in plain text.
bool is_own(std::string_view origin, std::string_view host) noexcept
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> schemes{
        {{"https://", ":443"}, {"http://", ":80"}}};
    for (auto const& [scheme, port] : schemes)
        if (origin.size() > scheme.size() && iequals(origin.substr(0, scheme.size()), scheme))
            return iequals(
                without_usual_port(origin.substr(scheme.size()), port),
                without_usual_port(host, port)
            );
    return false;
}

/// Whether the host is localhost or a loopback address, with or without a port.
bool is_loopback(std::string_view host)
{
    auto name = host;
    if (name.starts_with('['))
        name = name.substr(1, name.find(']') - 1);
    else
        name = name.substr(0, name.find(':'));
    if (iequals(name, "localhost"))
        return true;
    boost::system::error_code broken;
    auto const address = boost::asio::ip::make_address(std::string{name}, broken);
    return !broken && address.is_loopback();
}

/// Browsers send a cookie along for pages of other ports, too, whose <img> or <object> reveals what
/// exists. They tell so if they can; "none" is an address that a person entered.
result<void> check_fetch_site(request_head const& head)
{
    if (!head.fetch_site || *head.fetch_site == "same-origin" || *head.fetch_site == "none")
        return {};
    return refusal{
        refusal_kind::forbidden, "By cookie, only pages of this host ask: another one sent this."};
}

std::string to_cookie(request_head const& head, std::string_view value, std::chrono::seconds life)
{
    std::string cookie{cookie_name};
    cookie.append("=")
        .append(value)
        .append("; Path=/; Max-Age=")
        .append(std::to_string(life.count()));
    cookie += "; HttpOnly; SameSite=Strict";
    if (!head.host || !is_loopback(*head.host))
        cookie += "; Secure";
    return cookie;
}

}  // namespace

refusal unauthenticated()
{
    return {
        refusal_kind::unauthenticated,
        "Send the header Authorization: Bearer TOKEN, with a valid token."};
}

bool shows_token(request_head const& head) noexcept
{
    return head.authorization || session_token(head);
}

result<std::string_view> shown_token(request_head const& head)
{
    if (head.authorization)
    {
        auto const token = bearer_token(*head.authorization);
        return token ? result<std::string_view>{*token} : no_bearer();
    }
    auto const token = session_token(head);
    if (!token || token->empty())
        return unauthenticated();
    if (auto const checked = check_fetch_site(head); checked.has_error())
        return checked.error();
    if (head.verb == verb::get || head.verb == verb::head)
        return *token;
    if (!head.origin)
        return refusal{
            refusal_kind::forbidden,
            "By cookie, what changes something needs an Origin; programs send Authorization."};
    if (auto const checked = check_origin(head); checked.has_error())
        return checked.error();
    return *token;
}

result<void> check_origin(request_head const& head)
{
    if (!head.origin || (head.host && is_own(*head.origin, *head.host)))
        return {};
    return refusal{
        refusal_kind::forbidden, "The Origin is not this host: a page of another one sent this."};
}

std::string to_session_cookie(request_head const& head, std::string_view token)
{
    return to_cookie(head, token, session_time);
}

std::string to_ended_session(request_head const& head)
{
    return to_cookie(head, {}, std::chrono::seconds{0});
}

}  // namespace gapless
