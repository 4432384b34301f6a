#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace gapless {

/// The id that a path names, written as we write it; 0: it is none.
inline std::int32_t read_path_id(std::string_view text) noexcept
{
    std::int32_t id{};
    auto const* last = text.data() + text.size();
    auto const read = std::from_chars(text.data(), last, id);
    auto const whole = read.ec == std::errc{} && read.ptr == last && !text.starts_with('0');
    return whole && id > 0 ? id : 0;
}

}  // namespace gapless
