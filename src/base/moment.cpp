#include "base/moment.hpp"

#include "base/text.hpp"

namespace gapless {

namespace {

using namespace std::chrono;

/// `number` with leading zeros.
void append_padded(std::string& text, std::int64_t number, std::size_t digits)
{
    char padded[10];
    for (auto place = digits; place > 0; --place)
    {
        padded[place - 1] = static_cast<char>('0' + number % 10);
        number /= 10;
    }
    text.append(padded, digits);
}

/// Takes `width` digits from the front of `text`.
bool take(std::string_view& text, std::size_t width, int& value) noexcept
{
    if (text.size() < width)
        return false;
    auto const read = read_decimal<int>(text.substr(0, width));
    if (!read || text.front() == '-')
        return false;
    value = *read;
    text.remove_prefix(width);
    return true;
}

bool take(std::string_view& text, char expected) noexcept
{
    if (text.empty() || text.front() != expected)
        return false;
    text.remove_prefix(1);
    return true;
}

std::optional<sys_days> take_date(std::string_view& text) noexcept
{
    int y = 0;
    int m = 0;
    int d = 0;
    if (!take(text, 4, y) || !take(text, '-') || !take(text, 2, m) || !take(text, '-') ||
        !take(text, 2, d))
        return std::nullopt;
    year_month_day const date{
        year{y}, month{static_cast<unsigned>(m)}, day{static_cast<unsigned>(d)}};
    if (!date.ok())
        return std::nullopt;
    return sys_days{date};
}

/// "Thh:mm:ss[.digits]", the fraction cut to microseconds.
std::optional<microseconds> take_time(std::string_view& text) noexcept
{
    int h = 0;
    int m = 0;
    int s = 0;
    if ((!take(text, 'T') && !take(text, 't') && !take(text, ' ')) || !take(text, 2, h) ||
        !take(text, ':') || !take(text, 2, m) || !take(text, ':') || !take(text, 2, s) || h > 23 ||
        m > 59 || s > 59)
        return std::nullopt;
    microseconds moment = hours{h} + minutes{m} + seconds{s};
    if (take(text, '.'))
    {
        std::int64_t unit = 100'000;
        if (text.empty() || text.front() < '0' || text.front() > '9')
            return std::nullopt;
        for (; !text.empty() && text.front() >= '0' && text.front() <= '9';
             text.remove_prefix(1), unit /= 10)
            moment += microseconds{(text.front() - '0') * unit};
    }
    return moment;
}

/// Reads "Z", "+hh:mm" or "-hh:mm".
std::optional<minutes> take_offset(std::string_view& text) noexcept
{
    if (take(text, 'Z') || take(text, 'z'))
        return minutes{0};
    auto const negative = text.starts_with('-');
    if (!take(text, '-') && !take(text, '+'))
        return std::nullopt;
    int h = 0;
    int m = 0;
    if (!take(text, 2, h) || !take(text, ':') || !take(text, 2, m) || h > 23 || m > 59)
        return std::nullopt;
    auto const offset = hours{h} + minutes{m};
    return negative ? -offset : offset;
}

}  // namespace

void append_date(std::string& text, std::chrono::sys_days day)
{
    std::chrono::year_month_day const date{day};
    append_padded(text, static_cast<int>(date.year()), 4);
    text += '-';
    append_padded(text, static_cast<unsigned>(date.month()), 2);
    text += '-';
    append_padded(text, static_cast<unsigned>(date.day()), 2);
}

void append_timestamp(std::string& text, database_time moment)
{
    auto const day = std::chrono::floor<std::chrono::days>(moment);
    std::chrono::hh_mm_ss const time{moment - day};
    append_date(text, day);
    text += 'T';
    append_padded(text, time.hours().count(), 2);
    text += ':';
    append_padded(text, time.minutes().count(), 2);
    text += ':';
    append_padded(text, time.seconds().count(), 2);
    text += '.';
    append_padded(text, time.subseconds().count(), 6);
    text += 'Z';
}

std::string to_rfc3339(database_time moment)
{
    std::string text;
    append_timestamp(text, moment);
    return text;
}

std::optional<std::chrono::sys_days> read_date(std::string_view text) noexcept
{
    auto const date = take_date(text);
    return text.empty() ? date : std::nullopt;
}

std::optional<database_time> read_rfc3339(std::string_view text) noexcept
{
    auto const date = take_date(text);
    auto const time = date ? take_time(text) : std::nullopt;
    auto const offset = time ? take_offset(text) : std::nullopt;
    if (!offset || !text.empty())
        return std::nullopt;
    return database_time{*date + *time - *offset};
}

}  // namespace gapless
