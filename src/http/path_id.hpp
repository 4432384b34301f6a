#pragma once

#include "base/text.hpp"

#include <cstdint>
#include <string_view>

namespace gapless {

/// The id in a path, in our spelling; 0: not an id.
inline std::int32_t read_path_id(std::string_view text) noexcept
{
    auto const id = read_decimal<std::int32_t>(text);
    return id && *id > 0 && !text.starts_with('0') ? *id : 0;
}

}  // namespace gapless
