#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun reconcile_command();

}  // namespace gapless::cli
