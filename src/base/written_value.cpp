#include "base/written_value.hpp"

#include "base/field_text.hpp"
#include "base/json_text.hpp"
#include "base/limits.hpp"
#include "base/moment.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace gapless::written {

namespace {

refusal not_digits(std::string_view text)
{
    if (text.empty())
        return {refusal_kind::malformed_request, "a number is missing"};
    return {
        refusal_kind::malformed_request,
        fmt::format(
            "{} is not a whole number: only the digits 0 to 9 are allowed", to_quoted(text)
        )};
}

}  // namespace

result<std::int64_t> read_integer(std::string_view text, std::int64_t min, std::int64_t max)
{
    if (!all_digits(text))
        return not_digits(text);
    auto const value = read_decimal<std::int64_t>(text);
    if (!value || *value < min || *value > max)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format("{} is out of range, allowed are {} to {}", to_quoted(text), min, max)};
    return *value;
}

result<std::int64_t> read_serial(std::string_view text)
{
    auto const bare = to_number_text(text);
    return read_integer(
        join_groups(bare, group_marks, group_marks_min).value_or(bare), 0, serial_max
    );
}

result<std::string> read_stated_count(std::string_view written)
{
    auto const text = to_count_text(written);
    if (!all_digits(text))
        return not_digits(text);
    auto const zeros = std::min(text.find_first_not_of('0'), text.size() - 1);
    if (text.size() - zeros > 20)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format("{} is more than any block holds", to_quoted(text))};
    return text.substr(zeros);
}

result<std::optional<std::string>> read_reference(std::string_view text)
{
    if (text.empty())
        return std::optional<std::string>{};
    if (!is_text(text))
        return refusal{refusal_kind::malformed_request, "a reference has to be UTF-8 text"};
    if (has_control_character(text))
        return refusal{
            refusal_kind::malformed_request,
            fmt::format("{} has control characters", to_quoted(text))};
    if (auto const characters = count_characters(text); characters > reference_characters_max)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format(
                "{} has {} characters, allowed are {}",
                to_quoted(text),
                characters,
                reference_characters_max
            )};
    return std::optional{std::string{text}};
}

result<void> check_moment(database_time moment)
{
    constexpr std::chrono::sys_days first{std::chrono::days{-719'162}};  // 0001-01-01
    constexpr std::chrono::sys_days end{std::chrono::days{2'932'897}};   // 10000-01-01
    if (first <= moment && moment < end)
        return {};
    return refusal{
        refusal_kind::out_of_range, "a moment has to be within the years 0001 to 9999, in UTC"};
}

bool looks_like_day(std::string_view text) noexcept
{
    return std::ranges::equal(text, std::string_view{"dddd-dd-dd"}, [](char c, char wanted) {
        return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted;
    });
}

result<std::string> read_moment(std::string_view text)
{
    constexpr std::size_t without_seconds = std::string_view{"2027-12-31T12:00"}.size();
    auto const day = read_date(text);
    auto const in_utc = std::string{text} +
                        (text.size() == without_seconds ? ":00"
                         : day                          ? "T00:00:00"
                                                        : "") +
                        'Z';
    auto const local = read_rfc3339(in_utc);
    auto const moment = local ? local : read_rfc3339(text);
    constexpr std::size_t digits_of_year = 4;
    auto const digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (!moment && digits > digits_of_year && text.substr(digits).starts_with('-'))
        return check_moment(database_time::max()).error();
    if (!moment && looks_like_day(text))
        return refusal{
            refusal_kind::malformed_request,
            fmt::format(
                "there is no day {}; a date is year, month, day: 2027-12-31", to_quoted(text)
            )};
    if (!moment)
        return refusal{
            refusal_kind::malformed_request,
            fmt::format(
                "{} is neither a date like 2027-12-31 nor a moment like 2027-12-31T12:00:00, with "
                "or without a zone (Z, +01:00)",
                to_quoted(text)
            )};
    if (auto const checked = check_moment(*moment); checked.has_error())
        return checked.error();
    auto const written = to_rfc3339(*moment);
    return day ? std::string{text} : written.substr(0, written.size() - (local ? 1 : 0));
}

bool has_control_character(std::string_view text) noexcept
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

bool is_text(std::string_view bytes) noexcept
{
    return is_utf8(bytes) && bytes.find('\0') == bytes.npos;
}

std::string take_shown(std::string_view& text, bool in_ascii)
{
    auto const size = std::max<std::size_t>(character_bytes(text), 1);
    auto const taken = text.substr(0, size);
    text.remove_prefix(size);
    auto code = static_cast<unsigned>(static_cast<unsigned char>(taken.front()));
    if (size == 1)
        return code >= 32 && code < 127 ? std::string{taken} : fmt::format("\\x{:02x}", code);
    auto const ends_line = taken == "\xe2\x80\xa8" || taken == "\xe2\x80\xa9";  // U+2028, U+2029
    if (!in_ascii && unseen_bytes(taken) == 0 && !ends_line && !has_control_character(taken))
        return std::string{taken};
    code &= 0x7fU >> size;
    for (auto const each : taken.substr(1))
        code = code << 6U | (static_cast<unsigned char>(each) & 0x3fU);
    return fmt::format("\\u{:04x}", code);
}

bool is_visible(std::string_view text)
{
    while (!text.empty())
    {
        auto const rest = text;
        if (!rest.starts_with(take_shown(text, false)))
            return false;
    }
    return true;
}

std::string to_quoted(std::string_view text)
{
    constexpr std::size_t characters_max = 60;
    std::string shown{"'"};
    for (std::size_t characters = 0; !text.empty() && characters < characters_max; ++characters)
        shown += take_shown(text, false);
    return shown + (text.empty() ? "'" : "…'");
}

}  // namespace gapless::written
