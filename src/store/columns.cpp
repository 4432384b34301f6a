#include "store/columns.hpp"

#include <fmt/format.h>

namespace gapless {

std::string to_rfc3339(database_time moment)
{
    auto const day = std::chrono::floor<std::chrono::days>(moment);
    std::chrono::year_month_day const date{day};
    std::chrono::hh_mm_ss const time{moment - day};
    return fmt::format(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z",
        static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()),
        static_cast<unsigned>(date.day()),
        time.hours().count(),
        time.minutes().count(),
        time.seconds().count(),
        time.subseconds().count()
    );
}

std::optional<std::string> to_parameter(std::optional<database_time> const& moment)
{
    if (!moment)
        return std::nullopt;
    return to_rfc3339(*moment);
}

std::string to_array(std::vector<std::string> const& values)
{
    std::string text = "{";
    for (auto const& value : values)
    {
        text += text.size() > 1 ? ",\"" : "\"";
        for (auto const c : value)
        {
            if (c == '"' || c == '\\')
                text += '\\';
            text += c;
        }
        text += '"';
    }
    return text + "}";
}

std::vector<std::string> read_array(pqxx::field const& field)
{
    std::vector<std::string> values;
    if (field.is_null())
        return values;
    pqxx::array_parser parser{field.c_str()};
    for (auto [kind, text] = parser.get_next(); kind != pqxx::array_parser::done;
         std::tie(kind, text) = parser.get_next())
        if (kind == pqxx::array_parser::string_value)
            values.push_back(text);
    return values;
}

}  // namespace gapless
