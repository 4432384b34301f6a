#pragma once

#include "base/refusal.hpp"
#include "http/request_head.hpp"

#include <chrono>
#include <string>
#include <string_view>

/// Which token a request shows, and the cookie in which a browser keeps one. The cookie holds the
/// token itself: it grants exactly what the token grants, for as long as the token is valid, on
/// every instance. No I/O.
namespace gapless {

/// How long a browser keeps the cookie.
inline constexpr std::chrono::seconds session_time{std::chrono::hours{12}};

/// True when a request shows a token, a good or a bad one.
bool shows_token(request_head const& head) noexcept;

/// The token that a request shows: that of Authorization or, without such a field, that of the
/// session's cookie. Refuses with unauthenticated when it shows none, or none that can be one; with
/// forbidden when a cookie comes with a method other than GET and HEAD and without an Origin of our
/// own.
result<std::string_view> shown_token(request_head const& head);

/// Refuses with forbidden what a page of another host sends; what comes without an Origin passes.
result<void> check_origin(request_head const& head);

/// The Set-Cookie field that gives a browser this token. Without Secure where Host is this machine
/// by a loopback name or address.
std::string to_session_cookie(request_head const& head, std::string_view token);

/// The one that takes it away.
std::string to_ended_session(request_head const& head);

/// What a request without a usable token is told.
refusal unauthenticated();

}  // namespace gapless
