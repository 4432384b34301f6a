#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::cli {

/// Parses the parameters of a format, given as `--param key=value`. Throws command_failed (usage)
/// for any other form and for a repeated key.
std::map<std::string, std::string> read_params(std::vector<std::string> const& texts);

/// The parts of comma-separated lists, each once. Throws command_failed (usage) for an empty part.
std::vector<std::string> read_list(std::string_view option, std::vector<std::string> const& texts);

/// Parses an id, for instance of a block. Throws command_failed (usage); the text begins with
/// `name` and says which command shows the ids.
std::int32_t read_id(std::string_view name, std::string_view text, std::string_view noun);

}  // namespace gapless::cli
