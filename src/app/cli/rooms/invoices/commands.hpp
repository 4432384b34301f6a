#pragma once

#include "app/cli/verb.hpp"

namespace gapless::cli {

noun reconcile_command();

}  // namespace gapless::cli
