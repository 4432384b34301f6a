#pragma once

#include <boost/asio/ip/address_v6.hpp>
#include <boost/asio/ip/network_v6.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boost::asio::ip {
class address;
}

namespace gapless {

/// An address of the Internet Protocol, without a zone. An IPv4 address is written as an IPv6 one
/// (::ffff:10.0.0.1), so that both spellings are one address: the same host answers there.
using ip_address = boost::asio::ip::address_v6;

/// The addresses that begin with the same bits; the other bits of its address are 0. 10.0.0.0/8 is
/// ::ffff:10.0.0.0/104.
using ip_network = boost::asio::ip::network_v6;

/// Either version's address, its zone dropped.
ip_address to_ip_address(boost::asio::ip::address const& address) noexcept;

/// The address that is written so: 192.0.2.1 in four decimal numbers without leading zeros, or
/// IPv6 without a zone; none: it is no address.
std::optional<ip_address> read_ip_address(std::string_view text);

/// As it is usually written: "192.0.2.1", "2001:db8::1".
std::string to_text(ip_address const& address);

/// The network that is written so (CIDR): 10.0.0.0/8, fd00::/8; an address alone is a network of
/// one. None: it is no network, or has bits beyond its length.
std::optional<ip_network> read_ip_network(std::string_view text);

/// Networks with commas between, blanks around them allowed; no text is no network. None: one of
/// them is no network.
std::optional<std::vector<ip_network>> read_ip_networks(std::string_view text);

/// As read_ip_networks reads them: "10.0.0.0/8,fd00::/8".
std::string to_text(std::vector<ip_network> const& networks);

/// Whether the address is one of the network's. ::/0 holds IPv6 addresses only.
bool contains(ip_network const& network, ip_address const& address);

/// Whether the address is one of these networks'.
bool contains(std::vector<ip_network> const& networks, ip_address const& address);

/// What kind of address that is not of the public Internet this is: "a private address", "a
/// link-local address"; empty: it is a public one. What IANA's registries of special purposes
/// reserve is not public, nor is what no registry has assigned to anybody. Addresses that carry an
/// IPv4 address (64:ff9b::/96) are judged by that one; 6to4 and Teredo are not public.
std::string_view special_purpose_of(ip_address const& address);

}  // namespace gapless
