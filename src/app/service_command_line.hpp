#pragma once

#include "app/service_config.hpp"

#include <optional>
#include <string>

namespace gapless {

/// What gaplessd was started to do.
struct command_line
{
    std::optional<int> exit_code{};      // set: done (--help, --print-config, --openapi, error)
    std::optional<std::string> check{};  // --check: only asks this URL; "": the configured address
};

/// Fills `config` from options, environment and file. Prints faults on standard error.
command_line read_command_line(int argc, char** argv, service_config& config);

}  // namespace gapless
