#pragma once

#include "base/ip_address.hpp"

#include <string>
#include <vector>

namespace gapless {

/// The addresses of a host's name at this moment, as the system resolves it; none: it has none, or
/// nobody can tell. Blocks, for as long as the system waits for its name servers.
std::vector<ip_address> find_addresses(std::string const& host);

}  // namespace gapless
