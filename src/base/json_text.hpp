#pragma once

#include <string>
#include <string_view>

namespace gapless {

/// Appends a JSON string literal with its quotes. Bytes that are not UTF-8 become U+FFFD, so that
/// the result is valid JSON whatever the text is.
void append_json_string(std::string& json, std::string_view text);

/// True if every byte belongs to a UTF-8 sequence (RFC 3629: shortest form, no surrogates).
bool is_utf8(std::string_view text) noexcept;

}  // namespace gapless
