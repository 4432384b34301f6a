#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// What readers of JSON ask of a value that somebody sent.
namespace gapless {

/// Most bytes of an unknown name that a refusal repeats.
inline constexpr std::size_t shown_name_bytes_max = 64;

/// 2^53-1: the largest integer that survives a round trip through a double.
inline constexpr std::uint64_t exact_integer_max = 9'007'199'254'740'991;

/// Of a text in UTF-8; U+0080 to U+009F are control characters, too.
constexpr bool has_control_character(std::string_view text) noexcept
{
    for (std::size_t n = 0; n < text.size(); ++n)
    {
        auto const byte = static_cast<unsigned char>(text[n]);
        if (byte < 0x20 || byte == 0x7f)
            return true;
        if (byte == 0xc2 && n + 1 < text.size() && static_cast<unsigned char>(text[n + 1]) < 0xa0)
            return true;
    }
    return false;
}

/// Digits without a sign or a leading zero, 40 at most.
constexpr bool is_canonical_decimal(std::string_view text) noexcept
{
    return !text.empty() && text.size() <= 40 && (text == "0" || text.front() != '0') &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace gapless
