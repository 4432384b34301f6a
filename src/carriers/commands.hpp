#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun carrier_commands();

}  // namespace gapless::cli
