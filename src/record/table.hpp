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
template <class T>
inline constexpr bool is_number<std::optional<T>> = is_number<T>;

/// The columns of a record: all fields but those that only JSON shows.
template <record Record>
inline constexpr auto columns_of = [] {
    constexpr auto count = std::ranges::count_if(detail::notes<Record>, &note::is_column);
    std::array<column, static_cast<std::size_t>(count)> columns{};
    auto* next = columns.begin();
    for_each_field<Record>([&](auto each) {
        if (each.note.is_column)
            *next++ = {
                .key = each.name.data(),  // a literal: it ends in NUL
                .number = each.note.number || is_number<typename decltype(each)::type>,
                .in_table = each.note.in_table};
    });
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
