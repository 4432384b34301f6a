#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun lease_commands();

}  // namespace gapless::cli
