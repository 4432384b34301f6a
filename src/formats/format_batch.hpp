#pragma once

#include "cli/command_context.hpp"
#include "cli/exit_code.hpp"
#include "formats/make_and_check.hpp"

#include <string>

namespace gapless::cli {

/// Reads lines {"format":…,"number":…,"params":{…}} from standard input to its end and answers each
/// with its verdict. `name` is the format of lines that name none, `params` hold where a line
/// has no value of its own. Returns usage when a line could not be read, else findings when a
/// number is not valid, else ok. Throws command_failed with usage for a name without any line.
exit_code check_lines(
    command_context& context, std::string const& name, parameter_values const& params
);

/// Likewise for {"format":…,"serial":…,"params":{…}}, answered with {"number":…,"reason":…}.
exit_code make_lines(
    command_context& context, std::string const& name, parameter_values const& params
);

/// {"valid":…,"serial":…,"params":{…},"reason":…}; an empty serial or reason is null.
nlohmann::ordered_json to_json(number_verdict const& verdict);

}  // namespace gapless::cli
