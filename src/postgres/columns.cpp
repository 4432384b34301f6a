#include "postgres/columns.hpp"

#include "record/row.hpp"

namespace gapless {

std::optional<std::string> to_parameter(std::optional<database_time> const& moment)
{
    if (!moment)
        return std::nullopt;
    return to_rfc3339(*moment);
}

std::string to_element(std::string const& text)
{
    std::string quoted{'"'};
    for (auto const c : text)
    {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

std::string to_hexadecimal(std::span<unsigned char const> bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (auto const byte : bytes)
    {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::string to_bytea(std::span<unsigned char const> bytes)
{
    return "\\x" + to_hexadecimal(bytes);
}

std::vector<std::string> read_array(pqxx::field const& field)
{
    return field.is_null() ? std::vector<std::string>{} : detail::split_array(field.c_str());
}

}  // namespace gapless
