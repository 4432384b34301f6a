#pragma once

#include "base/ip_address.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gapless::cli {

/// The current addresses of a host name, as the system resolves it; empty: it has none, or the
/// look-up failed. Blocks for as long as the system waits for its name servers.
std::vector<ip_address> find_addresses(std::string const& host);

/// A url_checker for webhook receivers; looks the name up. Blocks.
void check_receiver(std::string_view text, std::string const& named_networks);

}  // namespace gapless::cli
