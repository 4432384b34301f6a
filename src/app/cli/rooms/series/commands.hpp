#pragma once

#include "app/cli/verb.hpp"

namespace gapless::cli {

noun series_commands();

}  // namespace gapless::cli
