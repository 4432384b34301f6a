#include "webhooks/webhook_url.hpp"

#include "base/text.hpp"
#include "base/written_value.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <ranges>

namespace gapless {

namespace {

constexpr std::size_t host_bytes_max = 253;
constexpr std::size_t label_bytes_max = 63;
constexpr std::uint16_t usual_port = 80;
constexpr std::uint16_t usual_secure_port = 443;

// Characters that RFC 3986 allows in a path or a query, besides percent signs.
constexpr std::string_view plain_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                              "0123456789-._~!$&'()*+,;=:@/?";
constexpr std::string_view hexadecimal_digits = "0123456789abcdefABCDEF";

/// For a host in lower case.
constexpr std::string_view label_characters = "abcdefghijklmnopqrstuvwxyz0123456789-_";

bool consists_of(std::string_view text, std::string_view characters) noexcept
{
    return text.find_first_not_of(characters) == std::string_view::npos;
}

bool is_path_and_query(std::string_view text) noexcept
{
    while (true)
    {
        text.remove_prefix(std::min(text.find_first_not_of(plain_characters), text.size()));
        if (text.empty())
            return true;
        if (text.front() != '%' || text.size() < 3 ||
            !consists_of(text.substr(1, 2), hexadecimal_digits))
            return false;
        text.remove_prefix(3);
    }
}

/// Removes the trailing dot of the root.
std::string_view without_root(std::string_view host) noexcept
{
    return host.substr(0, host.size() - (host.ends_with('.') ? 1 : 0));
}

/// Whether other parsers could read the host as an IPv4 address: its last part is a number, or one
/// such as 0x7f.
bool looks_like_number(std::string_view host)
{
    auto const name = without_root(host);
    auto const last = name.substr(name.rfind('.') + 1);
    return all_digits(last) ||
           (last.starts_with("0x") && consists_of(last.substr(2), hexadecimal_digits));
}

bool is_name(std::string_view host)
{
    auto const name = without_root(host);
    auto const is_label = [](auto const& part) {
        std::string_view const label{part.begin(), part.end()};
        return !label.empty() && label.size() <= label_bytes_max &&
               consists_of(label, label_characters);
    };
    return !name.empty() && name.size() <= host_bytes_max &&
           std::ranges::all_of(std::views::split(name, '.'), is_label);
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

/// Takes over a host, an address or a name. Returns what is wrong with it.
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
        auto const port = read_decimal<std::uint16_t>(parts.port);
        if (!port || *port == 0)
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
        return "http is for receivers within webhook_networks, and this name has no address there; "
               "use https";
    return {};
}

}  // namespace gapless
