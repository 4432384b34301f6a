#pragma once

#include "base/ip_address.hpp"

#include <string>
#include <vector>

namespace gapless {

/// The current addresses of a host name, as the system resolves it; empty: it has none, or the
/// look-up failed. Blocks for as long as the system waits for its name servers.
std::vector<ip_address> find_addresses(std::string const& host);

}  // namespace gapless
