#pragma once

#include "base/moment.hpp"
#include "postgres/columns.hpp"
#include "postgres/query.hpp"
#include "record/operation.hpp"
#include "record/row.hpp"

#include <optional>
#include <string>
#include <vector>

/// Calls SQL functions with records: the field `kinds` becomes the parameter p_kinds.
namespace gapless {

// Converts a field to a type that libpqxx can bind.

inline std::string const& to_sql(std::string const& text)
{
    return text;
}

template <std::integral Integer>
Integer to_sql(Integer number)
{
    return number;
}

template <class Integer>
Integer to_sql(quoted<Integer> number)
{
    return number.value;
}

inline std::int32_t to_sql(record_id id)
{
    return id.value;
}

template <std::int64_t least, std::int64_t most, std::int64_t usual>
std::int64_t to_sql(bounded<least, most, usual> number)
{
    return number.value;
}

inline std::string to_sql(database_time moment)
{
    return to_rfc3339(moment);
}

inline std::string const& to_sql(first_moment const& moment)
{
    return moment.text;
}

inline std::string const& to_sql(last_moment const& moment)
{
    return moment.text;
}

/// As jsonb.
inline std::string to_sql(texts_by_name const& texts)
{
    std::string json;
    append_json(json, texts);
    return json;
}

template <spelled T>
std::string to_sql(T const& value)
{
    return std::string{text_of(value)};
}

template <class T>
requires is_list<T> std::string to_sql(T const& list)
{
    std::vector<std::string> texts;
    texts.reserve(list.size());
    for (auto const& each : list)
        texts.emplace_back(to_sql(each));
    return to_array(texts);
}

template <class T>
auto to_sql(std::optional<T> const& value)
{
    using type = std::remove_cvref_t<decltype(to_sql(*value))>;
    return value ? std::optional<type>{to_sql(*value)} : std::nullopt;
}

/// An absent field becomes null: the function leaves the column as it is.
template <class T>
auto to_sql(given<T> const& field)
{
    using type = std::remove_cvref_t<decltype(to_sql(field.value))>;
    return field ? std::optional<type>{to_sql(field.value)} : std::nullopt;
}

/// Absent or null.
template <class T>
auto to_sql(given<std::optional<T>> const& field)
{
    return to_sql(field.value);
}

/// Runs a query and returns its rows as records.
template <record Record, class... Parameters>
std::vector<Record> select(
    pqxx::transaction_base& database, std::string const& sql, Parameters const&... parameters
)
{
    return read_rows<Record>(query_rows(database, sql, to_sql(parameters)...));
}

/// Calls gapless.<function> with the fields of a record and the caller as p_actor:
/// select * from gapless.webhook_create(p_url => $1, p_kinds => $2, p_actor => $3)
template <record Input>
pqxx::result call(
    pqxx::transaction_base& database,
    std::string_view function,
    Input const& input,
    caller const& by
)
{
    std::string sql{"select * from gapless."};
    sql.append(function).append("(");
    for_each_field<Input>([&](auto each) {
        auto const value = "$" + std::to_string(each.place + 1);
        sql.append("p_").append(each.name).append(" => ");
        if constexpr (std::same_as<typename decltype(each)::type, std::optional<last_moment>>)
            sql.append("gapless.moment_of(").append(value).append(", true), ");
        else
            sql.append(value).append(", ");
    });
    sql.append("p_actor => $").append(std::to_string(field_count<Input> + 1)).append(")");
    return [&]<std::size_t... n>(std::index_sequence<n...>)
    {
        return query_rows(database, sql, to_sql(field<Input, n>::of(input))..., by.name);
    }
    (std::make_index_sequence<field_count<Input>>{});
}

}  // namespace gapless
