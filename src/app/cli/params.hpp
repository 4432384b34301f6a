#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::cli {

/// None for an empty text: an option that was not given.
std::optional<std::string> optional_text(std::string const& text);

/// Parameters of a format as `--param key=value` gives them. Throws command_failed (usage) for
/// another form and for a key that is given twice.
std::map<std::string, std::string> read_params(std::vector<std::string> const& texts);

/// The parts of comma-separated lists, each once. Throws command_failed (usage) for an empty part.
std::vector<std::string> read_list(std::string_view option, std::vector<std::string> const& texts);

}  // namespace gapless::cli
