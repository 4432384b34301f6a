#pragma once

#include "record/column.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

namespace gapless {

template <class T>
inline constexpr bool is_number = std::is_integral_v<T> && !std::same_as<T, bool>;
template <class T>
inline constexpr bool is_number<quoted<T>> = true;
template <>
inline constexpr bool is_number<record_id> = true;
template <std::int64_t least, std::int64_t most, std::int64_t usual>
inline constexpr bool is_number<bounded<least, most, usual>> = true;
template <int decimals>
inline constexpr bool is_number<rounded<decimals>> = true;
template <class T>
inline constexpr bool is_number<std::optional<T>> = is_number<T>;

namespace detail {

/// "forecast.per_day" of a field and one of its own fields.
template <class Field, class Inner>
inline constexpr auto joined_name = [] {
    std::array<char, Field::name.size() + Inner::name.size() + 2> text{};
    auto* const dot = std::ranges::copy(Field::name, text.data()).out;
    *dot = '.';
    std::ranges::copy(Inner::name, dot + 1);
    return text;
}();

/// Calls use(column) for each column of a record.
template <record Record>
constexpr void for_each_column(auto use)
{
    for_each_field<Record>([&](auto each) {
        using type = typename decltype(each)::type;
        if constexpr (each.note.spread)
            for_each_field<type>([&](auto inner) {
                use(column{
                    .key = joined_name<decltype(each), decltype(inner)>.data(),
                    .number = inner.note.number || is_number<typename decltype(inner)::type>,
                    .in_table = inner.note.in_table});
            });
        else if constexpr (each.note.is_column)
            use(column{
                .key = each.name.data(),  // a literal: it ends in NUL
                .number = each.note.number || is_number<type>,
                .in_table = each.note.in_table});
    });
}

}  // namespace detail

/// The columns of a record: all fields but those that only JSON shows.
template <record Record>
inline constexpr auto columns_of = [] {
    constexpr auto count = [] {
        std::size_t found = 0;
        detail::for_each_column<Record>([&](column) { ++found; });
        return found;
    }();
    std::array<column, count> columns{};
    auto* next = columns.begin();
    detail::for_each_column<Record>([&](column each) { *next++ = each; });
    return columns;
}();

namespace detail {

template <record Record, class Value>
constexpr column column_of(Value Record::*member)
{
    return {.key = name_of(member).data(), .number = is_number<Value>};
}

}  // namespace detail

/// The columns of some fields: chosen_columns<&webhook::id, &webhook::url>.
template <auto... members>
inline constexpr std::array chosen_columns{detail::column_of(members)...};

}  // namespace gapless
