#pragma once

#include "app/service_config.hpp"

#include <optional>
#include <string>

namespace gapless {

/// What gaplessd was started for.
struct command_line
{
    std::optional<int> exit_code{};  // all was said: --help, --print-config, --openapi, an error
    std::optional<std::string> check{};  // --check: only ask this URL; "": the configured address
};

/// Fills `config` from options, environment and file. What is wrong with them is told on standard
/// error.
command_line read_command_line(int argc, char** argv, service_config& config);

}  // namespace gapless
