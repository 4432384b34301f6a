#pragma once

#include "cli/verb.hpp"

#include <vector>

namespace gapless::cli {

/// Every command, in the order of help.
std::vector<noun> all_commands();

noun completion_command();
noun database_commands();
noun migrate_commands();

}  // namespace gapless::cli
