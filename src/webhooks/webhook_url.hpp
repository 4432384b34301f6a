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

/// Where a webhook delivers: scheme://host[:port][/path][?query]. Read more strictly than URLs
/// are, so that nobody further on can take it for another one: ASCII, no user and no password, no
/// fragment, no backslash, a host that is a name, four decimal numbers or [IPv6].
struct webhook_url
{
    std::string text;                     // as it was given, with scheme and host in lower case
    bool secure{};                        // https
    std::string host;                     // a name, or an address without brackets
    std::uint16_t port{};                 // 443 or 80 where none is named
    std::optional<ip_address> address{};  // that host is; none: it is a name
};

/// Reads a URL. Refuses with out_of_range, saying what is wrong with it.
result<webhook_url> read_webhook_url(std::string_view text);

/// Whether a webhook may deliver to an address: by https to a public one, by either scheme to one
/// within the networks that an operator named.
bool may_deliver(bool secure, ip_address const& address, std::vector<ip_network> const& networks);

/// Why it may not; empty: it may. Names no address.
std::string delivery_obstacle(
    bool secure, ip_address const& address, std::vector<ip_network> const& networks
);

/// The same for all that is known of a URL before anybody connects: the addresses are those of its
/// name at this moment, none where it has none yet. Each of them has to be allowed: a name that
/// leads to a public address and to a private one is a trap. Pure.
std::string delivery_obstacle(
    webhook_url const& url,
    std::vector<ip_address> const& addresses,
    std::vector<ip_network> const& networks
);

}  // namespace gapless
