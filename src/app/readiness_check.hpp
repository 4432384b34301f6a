#pragma once

#include "app/service_config.hpp"

#include <string>

namespace gapless {

/// Asks a gaplessd at `url` (http or https; empty: the address it is configured to listen on) for
/// /readyz, for a container's health check, and says on standard output or error what it answered.
/// Returns the exit code: 0 for 200, else 1. The certificate is not verified: nothing secret is
/// sent, and that of the configured address names another host. Blocks for a few seconds at most.
int check_readiness(service_config const& config, std::string const& url);

}  // namespace gapless
