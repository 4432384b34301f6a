#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

/// The verb `load` of blocks, in its own file.
verb block_load();

}  // namespace gapless::cli
