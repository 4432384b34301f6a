#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun token_commands();

}  // namespace gapless::cli
