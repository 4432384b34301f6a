#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun hold_commands();

}  // namespace gapless::cli
