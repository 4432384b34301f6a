#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun notice_commands();

}  // namespace gapless::cli
