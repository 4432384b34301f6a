#pragma once

#include "cli/verb.hpp"

namespace gapless::cli {

noun block_commands();
noun proposal_commands();

/// The verb that creates one series; makes it accept a file of series with their blocks as well.
verb with_series_file(verb create);

}  // namespace gapless::cli
