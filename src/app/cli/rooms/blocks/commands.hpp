#pragma once

#include "app/cli/verb.hpp"

namespace gapless::cli {

noun block_commands();
noun proposal_commands();

}  // namespace gapless::cli
