#pragma once

#include "app/settings.hpp"
#include "http/limits.hpp"

#include <vector>

namespace gapless {

/// The limits of the HTTP server as settings of gaplessd. `limits` must outlive them.
std::vector<setting> http_settings(http_limits& limits);

}  // namespace gapless
