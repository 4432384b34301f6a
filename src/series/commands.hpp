#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun series_commands();

}  // namespace gapless::cli
