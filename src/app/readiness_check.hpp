#pragma once

#include "app/service_config.hpp"

#include <string>

namespace gapless {

/// Requests /readyz from a gaplessd at `url` (http or https; empty: the address it is configured to
/// listen on), for a container's health check, and prints the answer on standard output or error.
/// Returns the exit code: 0 for 200, else 1. The certificate is not verified: nothing secret is
/// sent, and it names another host. Blocks for a few seconds at most.
int check_readiness(service_config const& config, std::string const& url);

}  // namespace gapless
