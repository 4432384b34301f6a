#pragma once

#include "cli/command_context.hpp"
#include "formats/number_format.hpp"

#include <string>

namespace gapless::cli {

/// A format of the catalogue or, if a database is configured, a declared one. Connects only for the
/// latter. Refuses with not_found.
result<number_format> find_any_format(command_context& context, std::string const& name);

}  // namespace gapless::cli
