#include "http/request_head.hpp"

#include "base/text.hpp"
#include "http/accept_field.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/rfc7230.hpp>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <limits>
#include <netinet/in.h>

namespace gapless {

namespace {

namespace http = boost::beast::http;
using boost::beast::iequals;

bool is_host_character(char c) noexcept
{
    return is_letter(c) || gapless::is_digit(c) || c == '.' || c == '-' || c == '_' || c == '~';
}

bool is_ipv6_address(std::string_view text) noexcept
{
    std::array<char, INET6_ADDRSTRLEN> terminated{};
    if (text.size() >= terminated.size())
        return false;
    std::ranges::copy(text, terminated.begin());
    in6_addr ignored;
    return inet_pton(AF_INET6, terminated.data(), &ignored) == 1;
}

/// host [ ":" port ], host = name, IPv4 address or "[" IPv6 address "]".
bool is_host(std::string_view text) noexcept
{
    auto rest = text;
    if (text.starts_with('['))
    {
        auto const close = text.find(']');
        if (close == std::string_view::npos || close < 3)
            return false;
        auto const address = text.substr(1, close - 1);
        if (!is_ipv6_address(address))
            return false;
        rest = text.substr(close + 1);
    }
    else
    {
        auto const name_end = std::ranges::find_if_not(text, is_host_character) - text.begin();
        if (name_end == 0)
            return false;
        rest = text.substr(static_cast<std::size_t>(name_end));
    }
    if (rest.empty())
        return true;
    rest.remove_prefix(1);
    return text[text.size() - rest.size() - 1] == ':' && rest.size() <= 5 &&
           std::ranges::all_of(rest, gapless::is_digit);
}

/// Whether text may be repeated unchanged in answers and logs.
bool is_request_id(std::string_view text) noexcept
{
    constexpr std::size_t characters_max = 128;
    auto const fits = [](char c) { return c == ':' || (is_host_character(c) && c != '~'); };
    return !text.empty() && text.size() <= characters_max && std::ranges::all_of(text, fits);
}

/// As in W3C Trace Context: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01. Neither id is
/// zero, version ff does not exist, and later versions than 00 may go on.
bool is_traceparent(std::string_view text) noexcept
{
    constexpr std::string_view shape{"xx-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx-xx"};
    auto const is_hex = [](char c) { return gapless::is_digit(c) || (c >= 'a' && c <= 'f'); };
    auto const is_zero = [](std::string_view id) { return id.find_first_not_of('0') == id.npos; };
    auto const known = text.substr(0, shape.size());
    auto const rest = text.substr(known.size());
    return std::ranges::equal(
               known,
               shape,
               [&](char found, char wanted) {
                   return wanted == 'x' ? is_hex(found) : found == wanted;
               }
           ) &&
           !known.starts_with("ff") && !is_zero(known.substr(3, 32)) &&
           !is_zero(known.substr(36, 16)) &&
           (rest.empty() || (!known.starts_with("00") && rest.front() == '-' && is_request_id(rest))
           );
}

/// Beast's parser with our own rules on top; keeps views instead of copies.
class head_parser : public http::basic_parser<true>
{
public:
    explicit head_parser(http_limits const& limits) : limits_{limits}
    {
        header_limit(std::numeric_limits<std::uint32_t>::max()
        );                        // the caller has looked at the size
        body_limit(boost::none);  // the route decides
    }

    std::optional<fault> broken;
    request_head head;
    bool closes{};  // Connection has the option close, which Beast 1.81 ignores in HTTP/1.0

private:
    using view = boost::beast::string_view;
    using error_code = boost::beast::error_code;

    static std::string_view to_std(view text) noexcept { return {text.data(), text.size()}; }

    void refuse(error_code& ec, int status, std::string_view detail, std::uint64_t most = 0)
    {
        broken = fault{status, detail, most};
        ec = http::error::bad_field;
    }

    void on_request_impl(http::verb verb, view method, view target, int version, error_code&)
        override
    {
        head.verb = verb;
        head.method = to_std(method);
        head.target = to_std(target);
        head.http_1_0 = version == 10;
    }

    void on_field_impl(http::field name, view name_text, view value_text, error_code& ec) override
    {
        if (++fields_ > limits_.header_fields_max)
            return refuse(
                ec, 431, "The header has more than {} fields.", limits_.header_fields_max
            );
        auto const value = to_std(value_text);
        switch (name)
        {
        case http::field::host: return keep(head.host, value, "Host is given twice.", ec);
        case http::field::authorization:
            return keep(head.authorization, value, "Authorization is given twice.", ec);
        case http::field::content_type:
            return keep(head.content_type, value, "Content-Type is given twice.", ec);
        case http::field::if_match:
            return keep(head.if_match, value, "If-Match is given twice.", ec);
        case http::field::origin: return keep(head.origin, value, "Origin is given twice.", ec);
        case http::field::cookie: return keep(head.cookie, value, "Cookie is given twice.", ec);
        case http::field::sec_fetch_site:
            return keep(head.fetch_site, value, "Sec-Fetch-Site is given twice.", ec);
        case http::field::content_length: return read_content_length(value, ec);
        case http::field::transfer_encoding: return read_transfer_encoding(value, ec);
        case http::field::connection:
            closes = closes || http::token_list{value_text}.exists("close");
            framing_is_hop_ =
                framing_is_hop_ || http::token_list{value_text}.exists("transfer-encoding");
            return;
        case http::field::content_encoding:
            head.is_encoded = head.is_encoded || !iequals(value, "identity");
            return;
        case http::field::expect: return read_expect(value, ec);
        case http::field::accept:
            if (preferred_ == preference::none)
                preferred_ = preferred_in(value);
            return;
        case http::field::accept_language: head.text_language = language_in(value); return;
        case http::field::unknown:
            if (iequals(name_text, "Idempotency-Key"))
                keep(head.idempotency_key, value, "Idempotency-Key is given twice.", ec);
            else if (iequals(name_text, "Gapless-Token-Id"))
                keep(head.token_id, value, "Gapless-Token-Id is given twice.", ec);
            else if (iequals(name_text, "X-Request-Id") && is_request_id(value))
                head.request_id = value;
            else if (iequals(name_text, "traceparent") && is_traceparent(value))
                head.traceparent = value;
            return;
        default: return;
        }
    }

    void keep(
        std::optional<std::string_view>& place,
        std::string_view value,
        std::string_view when_doubled,
        error_code& ec
    )
    {
        if (place)
            return refuse(ec, 400, when_doubled);
        place = value;
    }

    void read_content_length(std::string_view value, error_code& ec)
    {
        if (content_length_seen_)
            return refuse(ec, 400, "Content-Length is given twice.");
        content_length_seen_ = true;
        if (value.empty() || value.size() > 19 || !std::ranges::all_of(value, gapless::is_digit))
            refuse(ec, 400, "Content-Length is not a number of bytes.");
    }

    void read_transfer_encoding(std::string_view value, error_code& ec)
    {
        if (head.is_chunked)
            return refuse(ec, 400, "Transfer-Encoding is given twice.");
        if (!iequals(value, "chunked"))
            return refuse(ec, 400, "Transfer-Encoding can only be chunked.");
        head.is_chunked = true;
    }

    void read_expect(std::string_view value, error_code& ec)
    {
        if (!iequals(value, "100-continue"))
            return refuse(ec, 417, "Only 100-continue can be expected.");
        head.expects_continue = true;
    }

    void on_header_impl(error_code& ec) override
    {
        if (head.is_chunked)
            check_chunked(ec);
        head.prefers_csv = preferred_ == preference::csv;
        head.wants_events = preferred_ == preference::events;
    }

    void check_chunked(error_code& ec)
    {
        if (content_length_seen_)
            return refuse(ec, 400, "Transfer-Encoding and Content-Length exclude each other.");
        if (head.http_1_0 || framing_is_hop_)
            return refuse(ec, 400, "Transfer-Encoding is not accepted here: send Content-Length.");
        if (head.verb == http::verb::get || head.verb == http::verb::head ||
            head.verb == http::verb::delete_)
            return refuse(ec, 400, "This method takes no body.");
    }

    // This parser only gets requests.
    void on_response_impl(int, view, int, error_code&) override {}
    void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code&) override {}
    std::size_t on_body_impl(view, error_code&) override { return 0; }
    void on_chunk_header_impl(std::uint64_t, view, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, view, error_code&) override { return 0; }
    void on_finish_impl(error_code&) override {}

    http_limits const& limits_;
    std::size_t fields_{};
    preference preferred_{preference::none};
    bool content_length_seen_{};
    bool framing_is_hop_{};  // Connection names Transfer-Encoding, so a proxy may remove it
};

/// Why Beast refused a head, for cases that people can fix.
std::string_view why_unreadable(boost::beast::error_code ec) noexcept
{
    using http::error;
    if (ec == error::bad_version || ec == error::bad_target || ec == error::bad_method)
        return "The first line has to be METHOD TARGET HTTP/1.1, with blanks in the target "
               "percent-encoded.";
    if (ec == error::bad_field)
        return "A header field has to be a name, a colon and its value.";
    if (ec == error::bad_value)
        return "The value of a header field holds a control character.";
    if (ec == error::bad_content_length)
        return "Content-Length is not a number of bytes.";
    return "The header of the request cannot be read.";
}

std::optional<fault> check_target(std::string_view target, http_limits const& limits) noexcept
{
    if (target.size() > limits.target_bytes_max)
        return fault{
            414, "The target of the request is longer than {} bytes.", limits.target_bytes_max};
    if (!target.starts_with('/'))
        return fault{
            400, "The target of the request has to be a path that begins with a slash, no URL."};
    auto const is_visible = [](char c) { return c > ' ' && c <= '~' && c != '#'; };
    if (!std::ranges::all_of(target, is_visible))
        return fault{400, "The target of the request holds a byte that has to be percent-encoded."};
    return std::nullopt;
}

}  // namespace

boost::system::result<request_head, fault> read_head(
    std::string_view head, http_limits const& limits
)
{
    if (head.size() > limits.header_bytes_max)
        return fault{431, "The header is larger than {} bytes.", limits.header_bytes_max};

    head_parser parser{limits};
    boost::beast::error_code ec;
    parser.put(boost::asio::const_buffer{head.data(), head.size()}, ec);
    if (parser.broken)
        return *parser.broken;
    if (ec || !parser.is_header_done())
        return fault{400, why_unreadable(ec)};

    auto& read = parser.head;
    if (auto const broken = check_target(read.target, limits))
        return *broken;
    if (!read.host && !read.http_1_0)
        return fault{400, "Host is missing."};
    if (read.host && !is_host(*read.host))
        return fault{
            400,
            "Host has to be a name or an address, and a port where it is needed: localhost:8080."};
    read.bytes = head.size();
    read.keep_alive = parser.keep_alive() && !parser.closes;
    read.content_length = parser.content_length().value_or(0);
    return read;
}

}  // namespace gapless
