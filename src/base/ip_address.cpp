#include "base/ip_address.hpp"

#include "base/contract.hpp"
#include "base/text.hpp"

#include <boost/asio/ip/address.hpp>

#include <algorithm>
#include <array>

namespace gapless {

namespace ip = boost::asio::ip;

namespace {

constexpr int address_bits = 128;
constexpr int mapped_bits = 96;  // of ::ffff:0:0/96: an IPv4 address follows

/// A special-purpose network, and what its addresses are.
struct special_network
{
    char const* network;
    std::string_view what;
};

/// IANA's special-purpose registries, 2025-10: all of IPv4, and of IPv6 those within 2000::/3, the
/// only part with assigned addresses. Some small parts are globally reachable (192.0.0.9,
/// 2001:4:112::/48), but nobody has a receiver there.
constexpr std::array special_networks{
    special_network{"0.0.0.0/8", "an address of this host"},
    special_network{"10.0.0.0/8", "a private address"},
    special_network{"100.64.0.0/10", "an address behind a provider's NAT"},
    special_network{"127.0.0.0/8", "a loopback address"},
    special_network{"169.254.0.0/16", "a link-local address"},
    special_network{"172.16.0.0/12", "a private address"},
    special_network{"192.0.0.0/24", "an address for protocols"},
    special_network{"192.0.2.0/24", "an address for documentation"},
    special_network{"192.31.196.0/24", "an address for protocols"},
    special_network{"192.52.193.0/24", "an address for protocols"},
    special_network{"192.88.99.0/24", "an address of a 6to4 relay"},
    special_network{"192.168.0.0/16", "a private address"},
    special_network{"192.175.48.0/24", "an address for protocols"},
    special_network{"198.18.0.0/15", "an address for measurements"},
    special_network{"198.51.100.0/24", "an address for documentation"},
    special_network{"203.0.113.0/24", "an address for documentation"},
    special_network{"224.0.0.0/4", "a multicast address"},
    special_network{"240.0.0.0/4", "a reserved address"},
    special_network{"::/128", "an address of this host"},
    special_network{"::1/128", "a loopback address"},
    special_network{"fc00::/7", "a private address"},
    special_network{"fe80::/10", "a link-local address"},
    special_network{"fec0::/10", "a private address"},
    special_network{"ff00::/8", "a multicast address"},
    special_network{"2001::/23", "an address for protocols"},
    special_network{"2001:db8::/32", "an address for documentation"},
    special_network{"2002::/16", "a 6to4 address"},
    special_network{"2620:4f:8000::/48", "an address for protocols"},
    special_network{"3fff::/20", "an address for documentation"},
};

/// The network from which IANA assigns IPv6 addresses.
constexpr char const* assigned_v6 = "2000::/3";

/// Addresses that a translator makes from IPv4 addresses, RFC 6052.
constexpr char const* translated_v4 = "64:ff9b::/96";

ip_network to_network(char const* text)
{
    auto const network = read_ip_network(text);
    ensure(network.has_value(), "the table of special networks has networks only");
    return network.value_or(ip_network{});
}

std::vector<std::pair<ip_network, std::string_view>> to_networks()
{
    std::vector<std::pair<ip_network, std::string_view>> all;
    all.reserve(special_networks.size());
    for (auto const& each : special_networks)
        all.emplace_back(to_network(each.network), each.what);
    return all;
}

/// The IPv4 address in the last four bytes.
ip_address last_four(ip_address const& address)
{
    auto const bytes = address.to_bytes();
    return to_ip_address(ip::address_v4{{bytes[12], bytes[13], bytes[14], bytes[15]}});
}

}  // namespace

ip_address to_ip_address(ip::address const& address) noexcept
{
    return address.is_v4() ? ip::make_address_v6(ip::v4_mapped, address.to_v4())
                           : ip_address{address.to_v6().to_bytes()};
}

std::optional<ip_address> read_ip_address(std::string_view text)
{
    if (text.find_first_of(std::string_view{"%\0", 2}) != std::string_view::npos)
        return std::nullopt;
    boost::system::error_code error;
    auto const address = ip::make_address(text, error);
    if (error)
        return std::nullopt;
    return to_ip_address(address);
}

std::string to_text(ip_address const& address)
{
    if (address.is_v4_mapped())
        return ip::make_address_v4(ip::v4_mapped, address).to_string();
    return address.to_string();
}

std::optional<ip_network> read_ip_network(std::string_view text)
{
    auto const slash = text.find('/');
    auto const address = read_ip_address(text.substr(0, slash));
    if (!address)
        return std::nullopt;
    if (slash == std::string_view::npos)
        return ip_network{*address, address_bits};
    auto const length = read_decimal<unsigned short>(text.substr(slash + 1));
    auto const skipped =
        text.substr(0, slash).find(':') == std::string_view::npos ? mapped_bits : 0;
    if (!length || *length > address_bits - skipped)
        return std::nullopt;
    ip_network const network{*address, static_cast<unsigned short>(*length + skipped)};
    if (network != network.canonical())
        return std::nullopt;
    return network;
}

std::optional<std::vector<ip_network>> read_ip_networks(std::string_view text)
{
    std::vector<ip_network> all;
    if (trimmed(text).empty())
        return all;
    while (true)
    {
        auto const comma = text.find(',');
        auto const network = read_ip_network(trimmed(text.substr(0, comma)));
        if (!network)
            return std::nullopt;
        all.push_back(*network);
        if (comma == std::string_view::npos)
            return all;
        text.remove_prefix(comma + 1);
    }
}

std::string to_text(std::vector<ip_network> const& networks)
{
    std::string text;
    for (auto const& network : networks)
    {
        auto const address = network.address();
        auto const skipped = address.is_v4_mapped() ? mapped_bits : 0;
        text += (text.empty() ? "" : ",") + to_text(address) + '/' +
                std::to_string(network.prefix_length() - skipped);
    }
    return text;
}

bool contains(ip_network const& network, ip_address const& address)
{
    // ::/0 does not include IPv4.
    return network.address().is_v4_mapped() == address.is_v4_mapped() &&
           ip_network{address, network.prefix_length()}.canonical() == network;
}

bool contains(std::vector<ip_network> const& networks, ip_address const& address)
{
    return std::ranges::any_of(networks, [&](ip_network const& network) {
        return contains(network, address);
    });
}

std::string_view special_purpose_of(ip_address const& address)
{
    static auto const special = to_networks();
    static auto const assigned = to_network(assigned_v6);
    static auto const translated = to_network(translated_v4);
    for (auto const& [network, what] : special)
        if (contains(network, address))
            return what;
    if (contains(translated, address))
        return special_purpose_of(last_four(address));
    if (address.is_v4_mapped() || contains(assigned, address))
        return {};
    return "an address that nobody has";
}

}  // namespace gapless
