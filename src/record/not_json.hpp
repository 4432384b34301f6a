#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gapless {

/// What is wrong with a body before it is parsed as JSON, as a sentence: another encoding, a byte
/// order mark, compression. Empty: nothing.
std::string why_not_text(std::string_view body);

/// Why a parser stopped at a byte (from 1 to one past the end), as a sentence with the usual
/// mistake if it is one. `ended`: a whole object had been read.
std::string why_not_json(std::string_view body, std::size_t byte, bool ended);

}  // namespace gapless
