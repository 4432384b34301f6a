#include "domain/webhook_url.hpp"

#include "base/text.hpp"
#include "domain/written_value.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace gapless {

namespace {

constexpr std::size_t host_bytes_max = 253;
constexpr std::size_t label_bytes_max = 63;
constexpr std::uint16_t usual_port = 80;
constexpr std::uint16_t usual_secure_port = 443;

bool is_ascii_letter(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_hexadecimal(char c) noexcept
{
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

char to_lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string to_lower(std::string_view text)
{
    std::string lower{text};
    std::ranges::transform(lower, lower.begin(), [](char c) { return to_lower(c); });
    return lower;
}

/// What RFC 3986 allows in a path or a query beside percent signs.
bool is_plain(char c) noexcept
{
    constexpr std::string_view marks = "-._~!$&'()*+,;=:@/?";
    return is_digit(c) || is_ascii_letter(c) || marks.find(c) != std::string_view::npos;
}

bool is_path_and_query(std::string_view text) noexcept
{
    for (std::size_t n = 0; n < text.size(); ++n)
        if (text[n] == '%')
        {
            if (n + 2 >= text.size() || !is_hexadecimal(text[n + 1]) ||
                !is_hexadecimal(text[n + 2]))
                return false;
        }
        else if (!is_plain(text[n]))
            return false;
    return true;
}

bool is_label(std::string_view text) noexcept
{
    auto const is_part = [](char c) {
        return is_digit(c) || is_ascii_letter(c) || c == '-' || c == '_';
    };
    return !text.empty() && text.size() <= label_bytes_max && std::ranges::all_of(text, is_part);
}

/// The last label of a name; a dot at its end is the root's.
std::string_view last_label(std::string_view host) noexcept
{
    if (host.ends_with('.'))
        host.remove_suffix(1);
    auto const dot = host.rfind('.');
    return dot == std::string_view::npos ? host : host.substr(dot + 1);
}

/// Whether others could read the host as an IPv4 address: its last part is a number, also one as
/// 0x7f.
bool looks_like_number(std::string_view host)
{
    auto const last = last_label(host);
    if (last.starts_with("0x"))
        return std::ranges::all_of(last.substr(2), is_hexadecimal);
    return !last.empty() && std::ranges::all_of(last, is_digit);
}

bool is_name(std::string_view host) noexcept
{
    if (host.ends_with('.'))
        host.remove_suffix(1);
    if (host.empty() || host.size() > host_bytes_max)
        return false;
    while (true)
    {
        auto const dot = host.find('.');
        if (!is_label(host.substr(0, dot)))
            return false;
        if (dot == std::string_view::npos)
            return true;
        host.remove_prefix(dot + 1);
    }
}

refusal wrong(std::string_view text, std::string_view why)
{
    return {
        refusal_kind::out_of_range, fmt::format("the URL {} {}", written::to_quoted(text), why)};
}

/// host[:port], in parts.
struct authority
{
    std::string_view host;  // with brackets
    std::string_view port;  // empty: none
    bool has_port{};
};

authority split(std::string_view text) noexcept
{
    auto const bracket = text.find(']');
    auto const colon = text.find(':', bracket == std::string_view::npos ? 0 : bracket);
    if (colon == std::string_view::npos)
        return {text, {}, false};
    return {text.substr(0, colon), text.substr(colon + 1), true};
}

std::optional<std::uint16_t> read_port(std::string_view text) noexcept
{
    std::uint16_t port{};
    auto const* const last = text.data() + text.size();
    auto const [end, error] = std::from_chars(text.data(), last, port);
    if (error != std::errc{} || end != last || port == 0)
        return std::nullopt;
    return port;
}

/// Takes over a host that is an address or a name. Returns what is wrong with it.
std::string_view take_host(std::string const& host, webhook_url& url)
{
    if (host.starts_with('['))
    {
        if (!host.ends_with(']') || host.find(':') == std::string::npos)
            return "has a host in brackets that is no IPv6 address";
        url.host = host.substr(1, host.size() - 2);
        url.address = read_ip_address(url.host);
        return url.address ? "" : "has a host in brackets that is no IPv6 address";
    }
    url.host = host;
    if (looks_like_number(host))
    {
        url.address = read_ip_address(host);
        return url.address ? "" : "has a host that is no IPv4 address in four decimal numbers";
    }
    return is_name(host) ? "" : "has no host, or one with characters that names do not have";
}

}  // namespace

result<webhook_url> read_webhook_url(std::string_view text)
{
    if (text.empty() || text.size() > webhook_url_bytes_max)
        return wrong(text, fmt::format("is not 1 to {} bytes long", webhook_url_bytes_max));
    auto const scheme_end = text.find("://");
    auto const scheme = to_lower(text.substr(0, std::min(scheme_end, text.size())));
    if (scheme_end == std::string_view::npos || (scheme != "https" && scheme != "http"))
        return wrong(text, "does not begin with https:// or http://");
    auto const rest = text.substr(scheme_end + 3);
    auto const host_end = std::min(rest.find_first_of("/?#\\"), rest.size());
    auto const path = rest.substr(host_end);
    if (!is_path_and_query(path))
        return wrong(text, "has a fragment, or characters that have to be percent-encoded");
    if (rest.substr(0, host_end).find('@') != std::string_view::npos)
        return wrong(text, "has a user or a password; deliveries are signed instead");

    auto const parts = split(rest.substr(0, host_end));
    auto const host = to_lower(parts.host);
    webhook_url url;
    url.secure = scheme == "https";
    if (auto const why = take_host(host, url); !why.empty())
        return wrong(text, why);
    url.port = url.secure ? usual_secure_port : usual_port;
    if (parts.has_port)
    {
        auto const port = read_port(parts.port);
        if (!port)
            return wrong(text, "has a port that is not 1 to 65535");
        url.port = *port;
    }
    url.text = scheme + "://" + host;
    if (parts.has_port)
        url.text += ':' + std::to_string(url.port);
    url.text += path;
    return url;
}

bool may_deliver(bool secure, ip_address const& address, std::vector<ip_network> const& networks)
{
    return contains(networks, address) || (secure && special_purpose_of(address).empty());
}

std::string delivery_obstacle(
    bool secure, ip_address const& address, std::vector<ip_network> const& networks
)
{
    if (may_deliver(secure, address, networks))
        return {};
    auto const what = special_purpose_of(address);
    return fmt::format(
        "{} leads to {}, which is not within webhook_networks",
        secure ? "https" : "http",
        what.empty() ? "a public address" : what
    );
}

std::string delivery_obstacle(
    webhook_url const& url,
    std::vector<ip_address> const& addresses,
    std::vector<ip_network> const& networks
)
{
    if (url.address)
        return delivery_obstacle(url.secure, *url.address, networks);
    for (auto const& address : addresses)
        if (auto why = delivery_obstacle(url.secure, address, networks); !why.empty())
            return why;
    if (!url.secure && networks.empty())
        return "http is for receivers within webhook_networks, of which there are none; use https";
    if (!url.secure && addresses.empty())
        return "http is for receivers within webhook_networks, and this name has no address";
    return {};
}

}  // namespace gapless
