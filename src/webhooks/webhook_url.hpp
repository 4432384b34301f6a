#pragma once

#include "base/ip_address.hpp"
#include "base/refusal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

inline constexpr std::size_t webhook_url_bytes_max = 2'048;

/// Where a webhook delivers: scheme://host[:port][/path][?query]. Parsed more strictly than URLs in
/// general, so that no other parser can read it differently: ASCII, no user and password, no
/// fragment, no backslash, a host that is a name, four decimal numbers or [IPv6].
struct webhook_url
{
    std::string text;                     // as given, with scheme and host in lower case
    bool secure{};                        // https
    std::string host;                     // a name, or an address without brackets
    std::uint16_t port{};                 // 443 or 80 if none is given
    std::optional<ip_address> address{};  // of the host; none: it is a name
};

/// Reads a URL. Refuses with out_of_range and the fault.
result<webhook_url> read_webhook_url(std::string_view text);

/// Whether a webhook may deliver to an address: by https to a public one, by http or https to one
/// in the networks that an operator has allowed.
bool may_deliver(bool secure, ip_address const& address, std::vector<ip_network> const& networks);

/// Why it may not; empty: it may. Contains no address.
std::string delivery_obstacle(
    bool secure, ip_address const& address, std::vector<ip_network> const& networks
);

/// The same for everything known of a URL before connecting: the addresses are those its name has
/// now, none if it has none yet. All of them must be allowed: a name with both a public and a
/// private address is a trap. Pure.
std::string delivery_obstacle(
    webhook_url const& url,
    std::vector<ip_address> const& addresses,
    std::vector<ip_network> const& networks
);

}  // namespace gapless
