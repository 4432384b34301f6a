#pragma once

#include "base/refusal.hpp"
#include "http/target.hpp"
#include "record/principal.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/beast/http/verb.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gapless {

struct answer_type;
struct exchange;
struct feature;
struct input_type;
struct operation;

/// Answers a request that passed all checks: fills exchange::out, or refuses. Runs on the I/O
/// thread; the exchange outlives the call.
using route_handler = boost::asio::awaitable<result<void>> (*)(exchange& current);

/// How large a body a route accepts.
enum class body_size
{
    none = 1,
    usual,    // http_limits::body_bytes_max
    large,    // http_limits::large_body_bytes_max
    invoice,  // http_limits::invoice_bytes_max
};

/// One row of the route table. Everything that is the same for all requests is decided by the row,
/// not by the handler.
struct route
{
    boost::beast::http::verb verb{};  // HEAD is answered where GET is
    std::string_view
        pattern;  // fixed parts and {parameters}; {series} is resolved before the handler
    std::optional<scope> needs;  // none: no token needed
    body_size body{body_size::none};
    route_handler handle{};
    bool takes_csv{};         // instead of JSON
    bool takes_more_query{};  // parameters with other names go to exchange::more_query
    // Takes no place of its token while it runs: it waits in the issue queue, or takes a place only
    // while it needs a database thread.
    bool without_place{};
    // For a hand-written handler: the query; and for OpenAPI the JSON of the body and of the 200
    // answer.
    input_type const* asks{};
    input_type const* reads{};
    answer_type const* answers{};
    operation const* does{};                    // null: hand-written handler
    feature const* of{};                        // the feature of `does`
    std::span<std::string_view const> query{};  // allowed parameter names

    bool has_series() const noexcept { return pattern.find("{series}") != std::string_view::npos; }
};

/// The values of the {parameters} of a path, in order.
class path_values
{
public:
    std::string_view operator[](std::size_t place) const noexcept
    {
        return decoded_[place].empty() ? raw_[place] : std::string_view{decoded_[place]};
    }

    /// Forgets all values and reads them from `path`. Returns true if the path matches the pattern.
    /// A fixed part has one spelling: it is never percent-decoded.
    bool match(std::string_view pattern, std::string_view path);

    /// Percent-decodes the values. Refuses with malformed_request.
    result<void> decode();

private:
    std::array<std::string_view, parameters_max> raw_;
    std::array<std::string, parameters_max> decoded_;
    std::size_t count_{};
};

/// The row of `rows` for a method and path, with its values. Refuses with not_found, or with
/// method_not_allowed; then `allow` lists the methods of that path.
result<route const*> find_route(
    std::span<route const> rows,
    boost::beast::http::verb verb,
    std::string_view path,
    path_values& values,
    std::string& allow
);

}  // namespace gapless
