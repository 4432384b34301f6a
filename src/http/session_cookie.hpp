#pragma once

#include "base/refusal.hpp"
#include "http/request_head.hpp"

#include <chrono>
#include <string>
#include <string_view>

/// Reads the token of a request, and writes the cookie in which a browser keeps one. The cookie
/// holds the token itself: it grants exactly what the token grants, for as long as the token is
/// valid, on every instance. No I/O.
namespace gapless {

/// How long a browser keeps the cookie.
inline constexpr std::chrono::seconds session_time{std::chrono::hours{12}};

/// True if a request has a token, valid or not.
bool shows_token(request_head const& head) noexcept;

/// The token of a request: that of Authorization or, without such a field, that of the session
/// cookie. Refuses with unauthenticated if there is none, or it cannot be a token; with forbidden
/// if a cookie comes with a method other than GET and HEAD and without our own Origin.
result<std::string_view> shown_token(request_head const& head);

/// Refuses requests of other hosts' pages with forbidden; requests without an Origin pass.
result<void> check_origin(request_head const& head);

/// The Set-Cookie field that gives a browser this token. Without Secure where Host is this machine
/// by a loopback name or address.
std::string to_session_cookie(request_head const& head, std::string_view token);

/// The Set-Cookie field that removes it.
std::string to_ended_session(request_head const& head);

/// The refusal of a request without a usable token.
refusal unauthenticated();

}  // namespace gapless
