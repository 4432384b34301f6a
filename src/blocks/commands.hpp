#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun block_commands();
noun proposal_commands();

}  // namespace gapless::cli
