#pragma once

#include "http/route.hpp"

#include <span>

namespace gapless {

/// The whole HTTP interface, one row per method and path.
std::span<route const> routes() noexcept;

}  // namespace gapless
