#pragma once

#include "domain/format/number_declaration.hpp"
#include "domain/refusal.hpp"

#include <string>
#include <string_view>

namespace gapless {

/// A declaration as JSON: {"name","number","length","check","hrt","barcode":{"symbology","data"}};
/// length a number, or "18-22", or null.
std::string to_declaration_json(number_declaration const& declaration);

/// Reads a declaration. Refuses with malformed_request naming the field.
result<number_declaration> read_declaration_json(std::string_view text);

}  // namespace gapless
