#include "record/row.hpp"

#include <nlohmann/json.hpp>
#include <pqxx/array>

#include <algorithm>
#include <array>

namespace gapless::detail {

void throw_wrong_column(std::string_view column, std::string_view text)
{
    throw std::domain_error{
        "the column " + std::string{column} + " is " + std::string{text.substr(0, 60)}};
}

bool read_timestamp(std::string_view text, database_time& moment) noexcept
{
    constexpr std::string_view zone{"+00"};
    constexpr std::size_t shortest = std::string_view{"2026-11-20 22:05:11+00"}.size();
    constexpr std::size_t longest = std::string_view{"2026-11-20 22:05:11.123456+00"}.size();
    std::array<char, longest> zulu{};
    if (text.size() < shortest || text.size() > longest || text[10] != ' ' || !text.ends_with(zone))
        return false;
    text.remove_suffix(zone.size());
    *std::ranges::copy(text, zulu.begin()).out = 'Z';
    auto const read = read_rfc3339({zulu.data(), text.size() + 1});
    moment = read.value_or(moment);
    return read.has_value();
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
