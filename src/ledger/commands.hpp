#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun ledger_commands();
noun manifest_command();

}  // namespace gapless::cli
