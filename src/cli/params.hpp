#pragma once

#include <cstdint>
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

/// An id, "block" for instance. Throws command_failed (usage), which begins with `name` and says
/// which command shows the ids.
std::int32_t read_id(std::string_view name, std::string_view text, std::string_view noun);

/// Throws command_failed (usage) for a reason that is blank or cannot be kept. `act`: what needs
/// it, "closing a block" for instance.
void check_reason(std::string const& reason, std::string_view act);

}  // namespace gapless::cli
