#include "domain/ip_address.hpp"

#include "base/contract.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <arpa/inet.h>

namespace gapless {

namespace {

constexpr std::size_t text_bytes_max = INET6_ADDRSTRLEN - 1;
constexpr int v4_bits = 32;
constexpr int v6_bits = 128;

/// Of ::ffff:0:0/96: an IPv4 address follows.
constexpr std::array<unsigned char, 12> mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr int mapped_bits = 96;

/// The same for a translator to IPv4, RFC 6052.
constexpr std::array<unsigned char, 12> translated_prefix{0, 0x64, 0xff, 0x9b};

bool begins_with(
    std::array<unsigned char, 16> const& bytes, std::array<unsigned char, 12> const& prefix
) noexcept
{
    return std::equal(prefix.begin(), prefix.end(), bytes.begin());
}

/// The IPv4 address in the last four bytes.
ip_address last_four(std::array<unsigned char, 16> const& bytes) noexcept
{
    return to_ip_address(std::array<unsigned char, 4>{bytes[12], bytes[13], bytes[14], bytes[15]});
}

int bits_of(ip_address const& address) noexcept
{
    return address.version == 4 ? v4_bits : v6_bits;
}

/// Whether the first bits of both are the same.
bool agree(ip_address const& one, ip_address const& other, int bits) noexcept
{
    if (one.version != other.version)
        return false;
    auto const whole = static_cast<std::size_t>(bits / 8);
    if (!std::equal(one.bytes.begin(), one.bytes.begin() + bits / 8, other.bytes.begin()))
        return false;
    if (bits % 8 == 0)
        return true;
    auto const differing = static_cast<unsigned>(one.bytes[whole] ^ other.bytes[whole]);
    return (differing >> (8 - bits % 8)) == 0;
}

/// A network for a purpose of its own, and what an address of it is.
struct special_network
{
    char const* network;
    std::string_view what;
};

/// IANA's registries of special purposes, 2025-10: those of IPv4 whole, those of IPv6 within
/// 2000::/3, of which alone addresses are assigned. Some small parts of them can be reached by
/// everybody (192.0.0.9, 2001:4:112::/48): nobody has a receiver there.
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

/// Of which IANA assigns addresses of IPv6.
constexpr char const* assigned_v6 = "2000::/3";

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

}  // namespace

ip_address to_ip_address(std::array<unsigned char, 4> const& bytes) noexcept
{
    ip_address address;
    std::ranges::copy(bytes, address.bytes.begin());
    return address;
}

ip_address to_ip_address(std::array<unsigned char, 16> const& bytes) noexcept
{
    if (begins_with(bytes, mapped_prefix))
        return last_four(bytes);
    return {.version = 6, .bytes = bytes};
}

std::optional<ip_address> read_ip_address(std::string_view text)
{
    if (text.empty() || text.size() > text_bytes_max || text.find('\0') != std::string_view::npos)
        return std::nullopt;
    std::string const written{text};
    std::array<unsigned char, 4> four{};
    if (::inet_pton(AF_INET, written.c_str(), four.data()) == 1)
        return to_ip_address(four);
    std::array<unsigned char, 16> sixteen{};
    if (::inet_pton(AF_INET6, written.c_str(), sixteen.data()) == 1)
        return to_ip_address(sixteen);
    return std::nullopt;
}

std::string to_text(ip_address const& address)
{
    char text[INET6_ADDRSTRLEN]{};
    auto const family = address.version == 4 ? AF_INET : AF_INET6;
    auto const* const written = ::inet_ntop(family, address.bytes.data(), text, sizeof text);
    ensure(written != nullptr, "an address can be written");
    return written;
}

std::optional<ip_network> read_ip_network(std::string_view text)
{
    auto const slash = text.find('/');
    auto const address = read_ip_address(text.substr(0, slash));
    if (!address)
        return std::nullopt;
    if (slash == std::string_view::npos)
        return ip_network{*address, bits_of(*address)};
    auto const length = text.substr(slash + 1);
    auto bits = read_decimal<int>(length).value_or(-1);
    if (bits < 0)
        return std::nullopt;
    // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
    if (address->version == 4 && text.substr(0, slash).find(':') != std::string_view::npos)
        bits -= mapped_bits;
    if (bits < 0 || bits > bits_of(*address))
        return std::nullopt;
    ip_network const network{*address, bits};
    for (int bit = bits; bit < bits_of(*address); ++bit)
        if ((address->bytes[static_cast<std::size_t>(bit / 8)] >> (7 - bit % 8) & 1) != 0)
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
        text +=
            (text.empty() ? "" : ",") + to_text(network.first) + '/' + std::to_string(network.bits);
    return text;
}

bool contains(ip_network const& network, ip_address const& address) noexcept
{
    return agree(network.first, address, network.bits);
}

bool contains(std::vector<ip_network> const& networks, ip_address const& address) noexcept
{
    return std::ranges::any_of(networks, [&](ip_network const& network) {
        return contains(network, address);
    });
}

std::string_view special_purpose_of(ip_address const& address)
{
    static auto const special = to_networks();
    static auto const assigned = to_network(assigned_v6);
    for (auto const& [network, what] : special)
        if (contains(network, address))
            return what;
    if (address.version == 4)
        return {};
    if (begins_with(address.bytes, translated_prefix))
        return special_purpose_of(last_four(address.bytes));
    return contains(assigned, address) ? std::string_view{} : "an address that nobody has";
}

}  // namespace gapless
