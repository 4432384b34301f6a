#pragma once

#include "base/moment.hpp"
#include "base/text.hpp"
#include "record/describe.hpp"
#include "record/json.hpp"
#include "record/types.hpp"

#include <pqxx/result>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Reads rows as records. Each column is looked up once per result, by the name of its field.
namespace gapless {

namespace detail {

[[noreturn]] void throw_wrong_column(std::string_view column, std::string_view text);

/// Parses a timestamptz as PostgreSQL prints it with DateStyle ISO and TimeZone UTC, which
/// open_connection sets. Returns false for any other text.
bool read_timestamp(std::string_view text, database_time& moment) noexcept;

/// The elements of a one-dimensional array.
std::vector<std::string> split_array(char const* text);

// One overload per field type. False: the text does not represent such a value.

inline bool read_column(std::string_view text, std::string& value)
{
    value = text;
    return true;
}

inline bool read_column(std::string_view text, secret& value)
{
    value.text = text;
    return true;
}

inline bool read_column(std::string_view text, bool& value) noexcept
{
    value = text == "t";
    return value || text == "f";
}

inline bool read_column(std::string_view text, flag& value) noexcept
{
    return read_column(text, value.value);
}

template <std::integral Integer>
bool read_column(std::string_view text, Integer& value) noexcept
{
    auto const read = read_decimal<Integer>(text);
    value = read.value_or(0);
    return read.has_value();
}

template <class Integer>
bool read_column(std::string_view text, quoted<Integer>& value) noexcept
{
    return read_column(text, value.value);
}

inline bool read_column(std::string_view text, record_id& value) noexcept
{
    return read_column(text, value.value);
}

template <std::int64_t least, std::int64_t most, std::int64_t usual>
bool read_column(std::string_view text, bounded<least, most, usual>& value) noexcept
{
    return read_column(text, value.value);
}

inline bool read_column(std::string_view text, version& value) noexcept
{
    return read_column(text, value.value);
}

bool read_column(std::string_view text, texts_by_name& value);

inline bool read_column(std::string_view text, database_time& value) noexcept
{
    return read_timestamp(text, value);
}

template <described_enum Enum>
bool read_column(std::string_view text, Enum& value) noexcept
{
    return boost::describe::enum_from_string(std::string{text}.c_str(), value);
}

template <class T>
requires is_list<T>
bool read_column(std::string_view text, T& list)
{
    for (auto const& element : split_array(text.data()))
        if (!read_column(element, list.emplace_back()))
            return false;
    return true;
}

}  // namespace detail

/// True for a field of a row. Other fields keep their initial value.
template <class T>
inline constexpr bool is_in_row = !is_list_of_records<T> && !is_given<T>;

/// Reads the rows of one result set.
template <record Record>
class row_reader
{
public:
    /// Throws pqxx::argument_error if a column is missing.
    explicit row_reader(pqxx::result const& rows)
        : columns_{map_fields<Record>([&](auto each) -> pqxx::row_size_type {
              if constexpr (is_in_row<typename decltype(each)::type>)
                  return rows.column_number(std::string{each.name});
              return {};
          })}
    {
    }

    /// Throws std::domain_error if a column does not fit its field, which is a bug.
    Record operator()(pqxx::row const& row) const
    {
        Record made;
        for_each_field<Record>([&](auto each) {
            if constexpr (is_in_row<typename decltype(each)::type>)
                take(row[columns_[each.place]], each.name, each.of(made));
        });
        return made;
    }

private:
    template <class Value>
    static void take(pqxx::field const& column, std::string_view name, std::optional<Value>& value)
    {
        if (!column.is_null())
            take(column, name, value.emplace());
    }

    template <class Value>
    static void take(pqxx::field const& column, std::string_view name, Value& value)
    {
        using detail::read_column;  // or that of the value's own namespace
        std::string_view const text{column.c_str(), column.size()};
        if (column.is_null() || !read_column(text, value))
            detail::throw_wrong_column(name, text);
    }

    std::array<pqxx::row_size_type, field_count<Record>> columns_;
};

/// All rows of a result set.
template <record Record>
std::vector<Record> read_rows(pqxx::result const& rows)
{
    std::vector<Record> all;
    all.reserve(static_cast<std::size_t>(rows.size()));
    row_reader<Record> const read{rows};
    for (auto const& row : rows)
        all.push_back(read(row));
    return all;
}

}  // namespace gapless
