#pragma once

#include <chrono>
#include <functional>
#include <string_view>

namespace gapless {

/// One answered request, without the token's text and without the path, which may contain numbers
/// and references.
struct request_record
{
    std::string_view method;   // as sent; empty when the request could not be read
    std::string_view pattern;  // of the route; empty when there is none
    int status{};
    std::chrono::microseconds duration{};  // from the first byte to the answer
    std::string_view request_id;
    std::string_view traceparent;  // empty: the request had none, here and below
    std::string_view token;        // its name
    std::string_view series;       // of the path, if the token sees it
    std::string_view problem;      // the last part of its type
};

/// Called on the I/O thread for every answered request; must not block. Empty: no logging.
using http_log = std::function<void(request_record const&)>;

}  // namespace gapless
