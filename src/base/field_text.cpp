#include "base/field_text.hpp"

#include "base/text.hpp"
#include "base/written_value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace gapless {

std::string_view const exponent_advice{
    "a spreadsheet rounded this number: format the column as text, enter the numbers again and "
    "export it anew"};

std::string_view const rounding_advice{
    "Excel may have rounded it (15 digits, then zeros): format the column as text, enter the "
    "numbers again and export it anew"};

namespace {

std::string without_blanks(std::string_view text)
{
    auto const usual = [](char c) { return c > ' ' && c < '\x7f'; };
    if (std::ranges::all_of(text, usual))
        return std::string{text};
    std::string bare;
    while (!text.empty())
    {
        auto const unseen = unseen_bytes(text);
        auto const is_apostrophe = text.starts_with("\xe2\x80\x99");  // of Word: 250’000
        if (unseen == 0)
            bare += is_apostrophe ? '\'' : text.front();
        text.remove_prefix(is_apostrophe ? 3 : std::max<std::size_t>(unseen, 1));
    }
    return bare;
}

/// Ä Ö Ü … are C3 84, 96, 9C in UTF-8; their lower case is 0x20 higher.
bool is_capital_umlaut(char first, char second) noexcept
{
    auto const byte = static_cast<unsigned char>(second);
    return first == '\xc3' && byte >= 0x80 && byte <= 0x9e;
}

/// Takes digits from the front; returns how many.
std::size_t take_digits(std::string_view& text) noexcept
{
    auto const size =
        static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
    text.remove_prefix(size);
    return size;
}

/// Takes a number of 1 to `most` digits from the front.
std::optional<int> take_number(std::string_view& text, std::size_t most) noexcept
{
    auto const digits = text;
    auto const size = take_digits(text);
    if (size == 0 || size > most)
        return std::nullopt;
    int value = 0;
    std::from_chars(digits.data(), digits.data() + size, value);
    return value;
}

/// Removes the prefix by which a scanner tells the symbology: ]C1, ]d2.
void take_symbology(std::string& text)
{
    if (text.size() > 3 && text[0] == ']' && is_letter(text[1]) &&
        (is_digit(text[2]) || is_letter(text[2])))
        text.erase(0, 3);
}

}  // namespace

std::size_t unseen_bytes(std::string_view text) noexcept
{
    constexpr std::array<std::string_view, 7> alone{
        " ", "\t", "\x1d", "\xc2\xa0", "\xc2\xad", "\xe3\x80\x80", "\xef\xbb\xbf"};
    for (auto const each : alone)
        if (text.starts_with(each))
            return each.size();
    auto const within = [front = text.substr(0, 3)](std::string_view least, std::string_view most) {
        return front.size() == 3 && least <= front && front <= most;
    };
    return within("\xe2\x80\x80", "\xe2\x80\x8f") || within("\xe2\x80\xaa", "\xe2\x80\xaf") ||
                   within("\xe2\x81\x9f", "\xe2\x81\xaf")
               ? 3
               : 0;
}

std::string to_heading(std::string_view text)
{
    text = text.substr(0, text.find_first_of("(["));
    auto name = without_blanks(text);
    std::erase_if(name, [](char c) {
        return std::string_view{"_-.:*/\"'\r\n"}.find(c) != std::string_view::npos;
    });
    for (std::size_t n = 0; n < name.size(); ++n)
    {
        auto& each = name[n];
        if (each >= 'A' && each <= 'Z')
            each = static_cast<char>(each - 'A' + 'a');
        else if (n > 0 && is_capital_umlaut(name[n - 1], each))
            each = static_cast<char>(each + 0x20);
    }
    return name;
}

std::string to_number_text(std::string_view field)
{
    auto text = without_blanks(field);
    if (text.size() > 3 && text.starts_with("=\"") && text.ends_with('"'))
        text = text.substr(2, text.size() - 3);
    else if (text.starts_with('\''))
        text.erase(0, 1);
    take_symbology(text);
    return text;
}

bool has_exponent(std::string_view text) noexcept
{
    if (take_digits(text) == 0)
        return false;
    if (text.starts_with(',') || text.starts_with('.'))
    {
        text.remove_prefix(1);
        take_digits(text);
    }
    if (!text.starts_with('e') && !text.starts_with('E'))
        return false;
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-'))
        text.remove_prefix(1);
    return all_digits(text);
}

std::string exponent_fault(std::string_view text, bool has_letters)
{
    if (!has_exponent(text) || (has_letters && text.find_first_of("+-,.") == text.npos))
        return {};
    return fmt::format(
        "{} is no number of a carrier: {}", written::to_quoted(text), exponent_advice
    );
}

bool looks_rounded(std::string_view text) noexcept
{
    constexpr std::size_t digits_kept = 15;
    return text.size() > digits_kept && all_digits(text) &&
           text.find_first_not_of('0', digits_kept) == std::string_view::npos;
}

std::string one_number_fault(std::string_view last)
{
    return fmt::format(
        "last: first and last are the same number; {}: {}; if the block has one number, give its "
        "count, 1",
        written::to_quoted(last),
        rounding_advice
    );
}

std::string to_count_text(std::string_view field)
{
    auto text = to_number_text(field);
    return join_groups(text, ".,'", 1).value_or(text);
}

std::string to_moment_text(std::string_view field)
{
    auto rest = field;
    auto const day = take_number(rest, 2);
    if (!day || !rest.starts_with('.'))
        return std::string{field};
    rest.remove_prefix(1);
    auto const month = take_number(rest, 2);
    if (!month || !rest.starts_with('.'))
        return std::string{field};
    rest.remove_prefix(1);
    if (rest.size() != 4 || !all_digits(rest))
        return std::string{field};
    return fmt::format("{}-{:02}-{:02}", rest, *month, *day);
}

}  // namespace gapless
