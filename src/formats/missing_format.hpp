#pragma once

#include "formats/number_declaration.hpp"

#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// The message for an unknown format: "there is no format 'dpd'; did you mean dpd-15 or dpd-28?"
/// Suggests up to three similar names from the catalogue and from `more`, which may contain the
/// catalogue. Pure.
std::string missing_format(std::string_view name, std::span<number_declaration const> more);

}  // namespace gapless
