#pragma once

#include "base/written_value.hpp"

/// Values as people write them on a command line. Pure; throws only when out of memory.
namespace gapless::cli {

using written::is_text;
using written::read_integer;
using written::read_moment;
using written::read_reference;
using written::read_serial;
using written::read_stated_count;
using written::to_quoted;

/// Reads when a token expires: like read_moment, or a time span from `now`: 30d, 12h.
/// Refuses with malformed_request and out_of_range.
result<std::string> read_expiry(std::string_view text, database_time now);

/// The text as one word of a POSIX shell, for a command that a message suggests.
std::string to_shell_word(std::string_view text);

}  // namespace gapless::cli
