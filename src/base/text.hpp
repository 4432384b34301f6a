#pragma once

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Whether `c` is one of 0 to 9, whatever the locale.
constexpr bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

/// Whether `c` is one of A to Z or a to z.
constexpr bool is_letter(char c) noexcept
{
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

/// `c` as a small letter, if it is one of A to Z, whatever the locale.
constexpr char to_lower(char c) noexcept
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
}

/// The same for each character of a text.
inline std::string to_lower(std::string_view text)
{
    std::string lower{text};
    for (auto& c : lower)
        c = to_lower(c);
    return lower;
}

/// `text` with capital letters for a to z.
inline std::string to_upper(std::string_view text)
{
    std::string upper{text};
    for (auto& c : upper)
        if (c >= 'a' && c <= 'z')
            c = static_cast<char>(c - 'a' + 'A');
    return upper;
}

/// Whether `text` is not empty and consists of digits 0 to 9 only.
constexpr bool all_digits(std::string_view text) noexcept
{
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

/// Parses a whole text as a decimal integer; nullopt if it is anything else, or does not fit.
template <std::integral Integer>
std::optional<Integer> read_decimal(std::string_view text) noexcept
{
    Integer number{};
    auto const* const last = text.data() + text.size();
    auto const [end, error] = std::from_chars(text.data(), last, number);
    return error == std::errc{} && end == last ? std::optional{number} : std::nullopt;
}

/// Number of characters (code points) of a text in UTF-8.
constexpr std::size_t count_characters(std::string_view text) noexcept
{
    auto const begins_one = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
    return static_cast<std::size_t>(std::ranges::count_if(text, begins_one));
}

/// `text` without the spaces and tabs at its ends (the OWS of RFC 9110).
constexpr std::string_view trimmed(std::string_view text) noexcept
{
    constexpr std::string_view blanks{" \t"};
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// 41200 as "41,200", for example; a text other than digits stays as it is.
inline std::string to_grouped(std::string_view digits, char mark)
{
    std::string text{digits};
    if (all_digits(digits))
        for (auto behind = text.size(); behind > 3;)
            text.insert(behind -= 3, 1, mark);
    return text;
}

/// The digits of a number written in groups, such as 1.234.567: one to three digits, then at least
/// `marks_min` times a mark and three digits, always with the same one of `marks`. Nullopt for
/// anything else, including digits without a mark.
inline std::optional<std::string> join_groups(
    std::string_view text, std::string_view marks, std::size_t marks_min
)
{
    auto const head =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
    if (head == 0 || head > 3 || head == text.size() ||
        marks.find(text[head]) == std::string_view::npos)
        return std::nullopt;
    std::string digits{text.substr(0, head)};
    for (auto rest = text.substr(head); !rest.empty(); rest.remove_prefix(4))
    {
        if (rest.front() != text[head] || rest.size() < 4 || !all_digits(rest.substr(1, 3)))
            return std::nullopt;
        digits += rest.substr(1, 3);
    }
    return digits.size() >= head + 3 * marks_min ? std::optional{digits} : std::nullopt;
}

}  // namespace gapless
