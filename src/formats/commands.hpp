#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun format_commands();

}  // namespace gapless::cli
