#pragma once

#include "base/messages.hpp"
#include "http/fault.hpp"
#include "http/limits.hpp"

#include <boost/beast/http/verb.hpp>
#include <boost/system/result.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gapless {

/// The parts of the request line and the fields that this service uses. Every view points into the
/// bytes it was read from.
struct request_head
{
    boost::beast::http::verb verb{};
    std::string_view method;
    std::string_view target;  // origin form, printable ASCII
    bool http_1_0{};
    bool keep_alive{};
    bool expects_continue{};
    bool is_encoded{};    // Content-Encoding names anything but identity
    bool prefers_csv{};   // Accept prefers text/csv over our other media types
    bool wants_events{};  // Accept names text/event-stream and none of our other media types
    language text_language{language::english};  // for people: Accept-Language
    std::size_t bytes{};                        // of the head, including the final empty line
    std::uint64_t content_length{};
    bool is_chunked{};  // the body comes in chunks; then content_length is 0
    std::optional<std::string_view> authorization;
    std::optional<std::string_view> idempotency_key;
    std::optional<std::string_view> content_type;
    std::optional<std::string_view> if_match;
    std::optional<std::string_view> host;
    std::optional<std::string_view> origin;
    std::optional<std::string_view> cookie;
    std::optional<std::string_view> fetch_site;  // Sec-Fetch-Site: whose page makes the request
    std::optional<std::string_view> token_id;    // Gapless-Token-Id: of the one it is meant for
    // For answers and logs; a malformed one counts as absent. The last one counts.
    std::optional<std::string_view> request_id;   // 1 to 128 of A-Za-z0-9._:-
    std::optional<std::string_view> traceparent;  // of W3C Trace Context
};

/// Reads a complete head: everything before the body, with the empty line. Refuses, beyond what
/// Beast 1.81 refuses (design: a second request must never hide in the first): any
/// Transfer-Encoding except `chunked` alone, in HTTP/1.1, without Content-Length, with a method
/// that has a body; a Host that is missing, doubled or not a host; doubled fields that decide;
/// targets in any form but origin form or with bytes other than printable ASCII; heads and targets
/// beyond their limits; any Expect but 100-continue. Never blocks.
boost::system::result<request_head, fault> read_head(
    std::string_view head, http_limits const& limits
);

}  // namespace gapless
