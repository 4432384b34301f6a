#pragma once

#include <map>
#include <string>
#include <vector>

namespace gapless::cli {

/// Parameters of a format as `--param key=value` gives them. Throws command_failed (usage) for
/// another form and for a key that is given twice.
std::map<std::string, std::string> read_params(std::vector<std::string> const& texts);

}  // namespace gapless::cli
