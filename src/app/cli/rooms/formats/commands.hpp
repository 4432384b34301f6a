#pragma once

#include "app/cli/verb.hpp"

namespace gapless::cli {

noun format_commands();

}  // namespace gapless::cli
