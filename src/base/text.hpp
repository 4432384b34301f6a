#pragma once

#include <algorithm>
#include <string_view>

namespace gapless {

/// Whether `c` is one of 0 to 9, whatever the locale.
constexpr bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

/// Whether `text` is not empty and holds nothing but the digits 0 to 9.
constexpr bool all_digits(std::string_view text) noexcept
{
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// `text` without the spaces and tabs at its ends (the OWS of RFC 9110).
constexpr std::string_view trimmed(std::string_view text) noexcept
{
    constexpr std::string_view blanks{" \t"};
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace gapless
