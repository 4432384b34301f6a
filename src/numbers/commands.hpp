#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun issuance_commands();
noun issue_command();
noun number_commands();

}  // namespace gapless::cli
