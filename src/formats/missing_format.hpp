#pragma once

#include "formats/number_declaration.hpp"

#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// What to say where there is no format of that name: "there is no format 'dpd'; did you mean
/// dpd-15 or dpd-28?" Names are looked for in the catalogue and in `more`, which may hold the
/// catalogue, too; those that were nearly named are told, three at most. Pure.
std::string missing_format(std::string_view name, std::span<number_declaration const> more);

}  // namespace gapless
