#include "record/row.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/array>

namespace gapless::detail {

namespace {

/// Removes `count` digits, and `next` unless it is NUL, from the front. Returns the number; -1 if
/// they are not there.
int take_digits(std::string_view& text, std::size_t count, char next) noexcept
{
    int number = 0;
    if (text.size() < count)
        return -1;
    for (auto const digit : text.substr(0, count))
    {
        if (digit < '0' || digit > '9')
            return -1;
        number = number * 10 + (digit - '0');
    }
    text.remove_prefix(count);
    if (next == '\0')
        return number;
    if (!text.starts_with(next))
        return -1;
    text.remove_prefix(1);
    return number;
}

}  // namespace

void throw_wrong_column(std::string_view column, std::string_view text)
{
    throw std::domain_error{
        "the column " + std::string{column} + " is " + std::string{text.substr(0, 60)}};
}

bool read_timestamp(std::string_view text, database_time& moment) noexcept
{
    using namespace std::chrono;
    auto const y = take_digits(text, 4, '-');
    auto const m = take_digits(text, 2, '-');
    auto const d = take_digits(text, 2, ' ');
    auto const h = take_digits(text, 2, ':');
    auto const min = take_digits(text, 2, ':');
    auto const s = take_digits(text, 2, '\0');
    if (y < 0 || m < 0 || d < 0 || h < 0 || min < 0 || s < 0)
        return false;
    std::int64_t fraction = 0;
    if (text.starts_with('.'))
    {
        text.remove_prefix(1);
        int places = 0;
        while (places < 6 && !text.empty() && text.front() != '+')
        {
            auto const digit = take_digits(text, 1, '\0');
            if (digit < 0)
                return false;
            fraction = fraction * 10 + digit;
            ++places;
        }
        for (; places < 6; ++places)
            fraction *= 10;
    }
    auto const date = year{y} / month{static_cast<unsigned>(m)} / day{static_cast<unsigned>(d)};
    if (text != "+00" || !date.ok())
        return false;
    moment = sys_days{date} + hours{h} + minutes{min} + seconds{s} + microseconds{fraction};
    return true;
}

bool read_column(std::string_view text, texts_by_name& value)
{
    auto const object = nlohmann::json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
    if (!object.is_object())
        return false;
    for (auto const& [name, member] : object.items())
        if (!member.is_string())
            return false;
        else
            value.emplace(name, member.get<std::string>());
    return true;
}

std::vector<std::string> split_array(char const* text)
{
    std::vector<std::string> elements;
    pqxx::array_parser parser{text};
    using juncture = pqxx::array_parser::juncture;
    for (;;)
    {
        auto [kind, element] = parser.get_next();
        if (kind == juncture::done)
            return elements;
        if (kind == juncture::string_value)
            elements.push_back(std::move(element));
    }
}

}  // namespace gapless::detail
