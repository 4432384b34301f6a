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

/// What the request line and the fields say, as far as this service cares. Every view points into
/// the bytes it was read from.
struct request_head
{
    boost::beast::http::verb verb{};
    std::string_view method;
    std::string_view target;  // origin form, printable ASCII
    bool http_1_0{};
    bool keep_alive{};
    bool expects_continue{};
    bool is_encoded{};    // Content-Encoding names another one than identity
    bool prefers_csv{};   // Accept names text/csv, and no other kind of ours before it
    bool wants_events{};  // it names text/event-stream, and no other kind of ours
    language text_language{language::english};  // of what people read: Accept-Language
    std::size_t bytes{};                        // of the head with the empty line that ends it
    std::uint64_t content_length{};
    bool is_chunked{};  // the body comes in chunks; then content_length is 0
    std::optional<std::string_view> authorization;
    std::optional<std::string_view> idempotency_key;
    std::optional<std::string_view> content_type;
    std::optional<std::string_view> if_match;
    std::optional<std::string_view> host;
    std::optional<std::string_view> origin;
    std::optional<std::string_view> cookie;
    std::optional<std::string_view> fetch_site;  // Sec-Fetch-Site: whose page a browser asks for
    // For answers and logs; one that is not as it has to be counts as none. The last one counts.
    std::optional<std::string_view> request_id;   // 1 to 128 of A-Za-z0-9._:-
    std::optional<std::string_view> traceparent;  // of W3C Trace Context
};

/// Reads a complete head: what stands before the body, with the empty line. Refuses, beyond what
/// Beast 1.81 does (design: a second request must never hide in the first): any Transfer-Encoding
/// but `chunked` alone, in HTTP/1.1, without Content-Length, of a method that has a body; a Host
/// that is missing, doubled or not a host; doubled fields that decide; targets in any form but
/// origin form or with other bytes than printable ASCII; heads and targets beyond their limits; any
/// Expect but 100-continue. Never blocks.
boost::system::result<request_head, fault> read_head(
    std::string_view head, http_limits const& limits
);

}  // namespace gapless
