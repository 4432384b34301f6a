#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun anchor_command();
noun reference_commands();
noun verify_command();

}  // namespace gapless::cli
