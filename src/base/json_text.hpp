#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gapless {

/// Appends a JSON string literal with its quotes. Bytes that are not UTF-8 become U+FFFD, so that
/// the result is valid JSON whatever the text is.
void append_json_string(std::string& json, std::string_view text);

/// The length in bytes of the UTF-8 character at the front of a text that is not empty (RFC 3629:
/// shortest form, no surrogates); 0 if it is malformed.
std::size_t character_bytes(std::string_view text) noexcept;

/// True if every byte belongs to a UTF-8 character.
bool is_utf8(std::string_view text) noexcept;

}  // namespace gapless
