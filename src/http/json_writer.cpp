#include "http/json_writer.hpp"

namespace gapless {

namespace {

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

}  // namespace

void append_timestamp(std::string& text, database_time moment)
{
    auto const day = std::chrono::floor<std::chrono::days>(moment);
    std::chrono::year_month_day const date{day};
    std::chrono::hh_mm_ss const time{moment - day};
    append_padded(text, static_cast<int>(date.year()), 4);
    text += '-';
    append_padded(text, static_cast<unsigned>(date.month()), 2);
    text += '-';
    append_padded(text, static_cast<unsigned>(date.day()), 2);
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

void append_optional_text(std::string& json, std::optional<std::string> const& text)
{
    if (text)
        append_json_string(json, *text);
    else
        json += "null";
}

}  // namespace gapless
