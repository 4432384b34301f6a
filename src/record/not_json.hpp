#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gapless {

/// What is wrong with a body before it is parsed as JSON, in a sentence: another encoding, a byte
/// order mark, compression. Empty: nothing.
std::string why_not_text(std::string_view body);

/// Why a parser stopped at a byte, from 1 up to one behind the end, in a sentence with the usual
/// slip where it is one. `ended`: it had read a whole object.
std::string why_not_json(std::string_view body, std::size_t byte, bool ended);

}  // namespace gapless
