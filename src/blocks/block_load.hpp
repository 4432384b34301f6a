#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

/// The verb `load` of blocks, which has a file of its own.
verb block_load();

}  // namespace gapless::cli
