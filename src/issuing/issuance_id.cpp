#include "issuing/issuance_id.hpp"

#include "base/contract.hpp"
#include "base/text.hpp"

#include <charconv>

namespace gapless {

namespace {

constexpr int series_digits_max = 8;
constexpr int turn_digits_max = 9;
constexpr std::string_view reserve_mark{"90"};  // instead of a turn

template <class Integer>
void append_counted(std::string& text, Integer value, int digits_max)
{
    auto const digits = std::to_string(value);
    ensure(
        static_cast<int>(digits.size()) <= digits_max,
        "a part of an issuance id fits its length digit"
    );
    text += static_cast<char>('0' + digits.size());
    text += digits;
}

template <class Integer>
bool take_number(std::string_view& text, std::size_t length, Integer& value) noexcept
{
    if (length == 0 || text.size() < length || text.front() == '0')
        return false;
    auto const read = read_decimal<Integer>(text.substr(0, length));
    if (!read)
        return false;
    value = *read;
    text.remove_prefix(length);
    return true;
}

template <class Integer>
bool take_counted(std::string_view& text, int digits_max, Integer& value) noexcept
{
    if (text.empty() || text.front() < '1' || text.front() > '0' + digits_max)
        return false;
    auto const length = static_cast<std::size_t>(text.front() - '0');
    text.remove_prefix(1);
    return take_number(text, length, value);
}

}  // namespace

void append_issuance_id(std::string& text, issuance_id const& id)
{
    if (id.reserve)
        text += reserve_mark;
    else if (id.turn > 0)
    {
        text += '9';
        append_counted(text, id.turn, turn_digits_max);
    }
    append_counted(text, id.series_id, series_digits_max);
    char digits[20];
    auto const end = std::to_chars(digits, digits + sizeof digits, id.ordinal).ptr;
    text.append(digits, end);
}

std::optional<issuance_id> read_issuance_id(std::string_view text) noexcept
{
    issuance_id id;
    if (text.starts_with(reserve_mark))
    {
        id.reserve = true;
        text.remove_prefix(reserve_mark.size());
    }
    else if (text.starts_with('9'))
    {
        text.remove_prefix(1);
        if (!take_counted(text, turn_digits_max, id.turn))
            return std::nullopt;
    }
    if (!take_counted(text, series_digits_max, id.series_id) ||
        !take_number(text, text.size(), id.ordinal))
        return std::nullopt;
    return id;
}

}  // namespace gapless
