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

/// An IP address without a zone. An IPv4 address is stored as an IPv6 one (::ffff:10.0.0.1), so
/// that both spellings are one address: the same host answers there.
using ip_address = boost::asio::ip::address_v6;

/// The addresses with a common prefix; the other bits of its address are 0. 10.0.0.0/8 is
/// ::ffff:10.0.0.0/104.
using ip_network = boost::asio::ip::network_v6;

/// The address of either version, without its zone.
ip_address to_ip_address(boost::asio::ip::address const& address) noexcept;

/// Reads an address: 192.0.2.1 in four decimal numbers without leading zeros, or IPv6 without a
/// zone; nullopt: not an address.
std::optional<ip_address> read_ip_address(std::string_view text);

/// In the usual notation: "192.0.2.1", "2001:db8::1".
std::string to_text(ip_address const& address);

/// Reads a network (CIDR): 10.0.0.0/8, fd00::/8; an address alone is a network of one. Nullopt: not
/// a network, or bits beyond its length are set.
std::optional<ip_network> read_ip_network(std::string_view text);

/// Networks separated by commas, blanks around them allowed; an empty text has none. Nullopt: one
/// of them is not a network.
std::optional<std::vector<ip_network>> read_ip_networks(std::string_view text);

/// In the format of read_ip_networks: "10.0.0.0/8,fd00::/8".
std::string to_text(std::vector<ip_network> const& networks);

/// Whether the network contains the address. ::/0 contains IPv6 addresses only.
bool contains(ip_network const& network, ip_address const& address);

/// Whether one of the networks contains the address.
bool contains(std::vector<ip_network> const& networks, ip_address const& address);

/// The kind of an address that is not on the public Internet: "a private address", "a link-local
/// address"; empty: it is public. Not public are what IANA's special-purpose registries reserve,
/// and what no registry has assigned. An address that contains an IPv4 address (64:ff9b::/96) is
/// judged by that; 6to4 and Teredo are not public.
std::string_view special_purpose_of(ip_address const& address);

}  // namespace gapless
