#pragma once

#include "base/moment.hpp"

#include <pqxx/result>

#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Converts columns to values. Parameters are passed to libpqxx as they are.
namespace gapless {

/// True if the row has a column of that name, which an older schema may lack.
inline bool has_column(pqxx::row const& row, std::string_view name)
{
    for (pqxx::row_size_type n = 0; n < row.size(); ++n)
        if (row[n].name() == name)
            return true;
    return false;
}

/// The column as text, or nullopt for null.
inline std::optional<std::string> optional_text(pqxx::field const& field)
{
    if (field.is_null())
        return std::nullopt;
    return field.as<std::string>();
}

/// The column as a number, or nullopt for null.
inline std::optional<std::int64_t> optional_number(pqxx::field const& field)
{
    if (field.is_null())
        return std::nullopt;
    return field.as<std::int64_t>();
}

/// A moment selected as microseconds since 1970: (extract(epoch from t) * 1000000)::bigint.
inline database_time to_time(pqxx::field const& field)
{
    return database_time{std::chrono::microseconds{field.as<std::int64_t>()}};
}

inline std::optional<database_time> optional_time(pqxx::field const& field)
{
    if (field.is_null())
        return std::nullopt;
    return to_time(field);
}

/// A moment as a parameter for to_timestamp-free SQL: RFC 3339 text, or null.
std::optional<std::string> to_parameter(std::optional<database_time> const& moment);

// An element of an array parameter, in PostgreSQL's notation.

std::string to_element(std::string const& text);

inline std::string to_element(last_moment const& moment)
{
    return to_element(moment.text);
}

inline std::string to_element(database_time moment)
{
    return to_element(to_rfc3339(moment));
}

/// A truth value is 0 or 1.
template <std::integral Integer>
std::string to_element(Integer number)
{
    return std::to_string(number);
}

template <class T>
std::string to_element(std::optional<T> const& value)
{
    return value ? to_element(*value) : "null";
}

/// An array parameter: `of` of each item.
template <class Items, class Of = std::identity>
std::string to_array(Items const& items, Of of = {})
{
    std::string text{'{'};
    for (auto const& item : items)
        text += (text.size() > 1 ? "," : "") + to_element(std::invoke(of, item));
    return text + '}';
}

/// Bytes as hexadecimal digits in lower case, like encode(…, 'hex').
std::string to_hexadecimal(std::span<unsigned char const> bytes);

/// Bytes as a parameter, in PostgreSQL's notation.
std::string to_bytea(std::span<unsigned char const> bytes);

/// A one-dimensional text array column; empty for null.
std::vector<std::string> read_array(pqxx::field const& field);

}  // namespace gapless
