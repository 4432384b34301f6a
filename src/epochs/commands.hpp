#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun epoch_commands();

}  // namespace gapless::cli
