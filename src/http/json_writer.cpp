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

std::string& append_name(std::string& json, std::string_view name)
{
    if (json.back() != '{')
        json += ',';
    json += '"';
    json += name;
    return json += "\":";
}

void append_text(std::string& json, std::string_view name, std::string_view text)
{
    append_json_string(append_name(json, name), text);
}

void append_count(std::string& json, std::string_view name, std::int64_t count)
{
    append_quoted_decimal(append_name(json, name), count);
}

void append_optional_text(std::string& json, std::optional<std::string> const& text)
{
    if (text)
        append_json_string(json, *text);
    else
        json += "null";
}

}  // namespace gapless
