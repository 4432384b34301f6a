#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::cli {

/// Parameters of a format as `--param key=value` gives them. Throws command_failed (usage) for
/// another form and for a key that is given twice.
std::map<std::string, std::string> read_params(std::vector<std::string> const& texts);

/// The parts of comma-separated lists, each once. Throws command_failed (usage) for an empty part.
std::vector<std::string> read_list(std::string_view option, std::vector<std::string> const& texts);

/// An id, "block" for instance. Throws command_failed (usage), which begins with `name` and says
/// which command shows the ids.
std::int32_t read_id(std::string_view name, std::string_view text, std::string_view noun);

}  // namespace gapless::cli
