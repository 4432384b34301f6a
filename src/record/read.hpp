#pragma once

#include "base/moment.hpp"
#include "base/written_value.hpp"
#include "record/json.hpp"
#include "record/raw_value.hpp"
#include "record/refused.hpp"
#include "record/schema.hpp"
#include "record/types.hpp"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

/// Reads records from bodies, paths, queries and command lines in two steps: the caller turns each
/// field into a raw_value, then the field's type converts it.
namespace gapless {

/// Which raw values T accepts, how messages describe them, and the conversion.
template <class T>
struct reading;

template <>
struct reading<std::string>
{
    static constexpr unsigned accepts = takes_text;
    static constexpr std::string_view wanted{"a string"};

    static void take(raw_value& raw, std::string& value)
    {
        value = std::move(std::get<std::string>(raw));
    }
};

template <>
struct reading<bool>
{
    static constexpr unsigned accepts = takes_truth;
    static constexpr std::string_view wanted{"true or false"};

    static void take(raw_value& raw, bool& value) { value = to_truth(raw); }
};

template <std::int64_t least, std::int64_t most, std::int64_t usual>
struct reading<bounded<least, most, usual>>
{
    static constexpr unsigned accepts = takes_integer;
    static constexpr std::string_view wanted{"an integer"};

    static void take(raw_value& raw, bounded<least, most, usual>& value)
    {
        value = to_integer(raw, {least, most});
    }
};

template <class Integer>
struct reading<quoted<Integer>>
{
    static constexpr unsigned accepts = takes_digits;
    static constexpr std::string_view wanted{"an integer, or its decimal digits in a string"};

    static void take(raw_value& raw, quoted<Integer>& value)
    {
        value.value = static_cast<Integer>(to_integer(raw, bounds_of<quoted<Integer>>));
    }
};

template <>
struct reading<record_id>
{
    static constexpr unsigned accepts = takes_digits;
    static constexpr std::string_view wanted{"an integer, or its decimal digits in a string"};

    static void take(raw_value& raw, record_id& value) { value.value = to_id(raw); }
};

template <class T>
requires std::same_as<T, first_moment> || std::same_as<T, last_moment>
struct reading<T>
{
    static constexpr unsigned accepts = takes_text;
    static constexpr std::string_view wanted{"a string"};

    static void take(raw_value& raw, T& moment)
    {
        auto read = written::read_moment(std::get<std::string>(raw));
        if (read.has_error() && read.error().kind == refusal_kind::out_of_range)
            throw refused{read.error()};  // its own words name no field
        if (read.has_error())
            throw wrong_field{
                refusal_kind::malformed_request,
                written::looks_like_day(std::get<std::string>(raw))
                    ? " names a day that does not exist; a date is year, month, day (2026-12-31)"
                    : " has to be a date (2026-12-31) or an RFC 3339 moment"};
        moment.text = std::move(*read);
    }
};

template <described_enum Enum>
struct reading<Enum>
{
    static constexpr unsigned accepts = takes_text;
    static constexpr std::string_view wanted{"a string"};

    static void take(raw_value& raw, Enum& value)
    {
        if (!boost::describe::enum_from_string(std::get<std::string>(raw).c_str(), value))
            throw wrong_field{refusal_kind::out_of_range, " has to be " + names()};
    }

    static std::string names()
    {
        std::string text;
        boost::mp11::mp_for_each<boost::describe::describe_enumerators<Enum>>([&](auto each) {
            text.append(text.empty() ? "" : ", ").append(each.name);
        });
        if (auto const comma = text.rfind(','); comma != text.npos)
            text.replace(comma, 1, " or");
        return text;
    }
};

template <readable_text T>
struct reading<T>
{
    static constexpr unsigned accepts = takes_text;
    static constexpr std::string_view wanted{"a string"};

    static void take(raw_value& raw, T& value)
    {
        auto read = read_text(std::get<std::string>(raw), std::type_identity<T>{});
        if (read.has_error())
            throw wrong_field{read.error().kind, ": " + read.error().detail};
        value = std::move(*read);
    }
};

template <>
struct reading<decimal_digits>
{
    static constexpr unsigned accepts = takes_digits;
    static constexpr std::string_view wanted = reading<record_id>::wanted;

    static void take(raw_value& raw, decimal_digits& value)
    {
        if (auto* const text = std::get_if<std::string>(&raw))
            value.digits = std::move(*text);
        else
            value.digits = std::to_string(std::get<std::int64_t>(raw));
    }
};

template <>
struct reading<written_number>
{
    static constexpr unsigned accepts = takes_digits | takes_text;
    static constexpr std::string_view wanted{"a string, or an integer from 0"};

    static void take(raw_value& raw, written_number& value)
    {
        if (auto* const text = std::get_if<std::string>(&raw))
            value.text = std::move(*text);
        else
            value.text = std::to_string(std::get<std::int64_t>(raw));
    }
};

template <>
struct reading<if_match>
{
    static constexpr unsigned accepts = takes_header;
    static constexpr std::string_view wanted{"one ETag, or *"};

    static void take(raw_value& raw, if_match& value)
    {
        value = to_if_match(std::get<std::string>(raw));
    }
};

template <>
struct reading<texts_by_name>
{
    static constexpr unsigned accepts = takes_object;
    static constexpr std::string_view wanted{"an object of strings"};

    static void take(raw_value& raw, texts_by_name& value)
    {
        for (auto& [name, text] : std::get<raw_object>(raw))
            value.emplace(std::move(name), std::move(text));
    }
};

namespace detail {

/// {"first","last"}: the fields of a record.
template <record Record>
inline constexpr auto shape_of = [] {
    constexpr auto size = [] {
        std::size_t characters = 1;  // the braces, less a comma that the last field does not have
        for_each_field<Record>([&](auto each) { characters += each.name.size() + 3; });
        return characters;
    }();
    constexpr std::string_view begin{"a list of "};
    constexpr std::string_view all{field_count<Record> == 2 ? ", both strings" : ", all strings"};
    std::array<char, begin.size() + size + all.size()> text{};
    auto* end = std::ranges::copy(begin, text.data()).out;
    for_each_field<Record>([&](auto each) {
        *end++ = each.place == 0 ? '{' : ',';
        *end++ = '"';
        end = std::ranges::copy(each.name, end).out;
        *end++ = '"';
    });
    *end++ = '}';
    std::ranges::copy(all, end);
    return text;
}();

/// "range" of number_range: what messages call it.
template <record Record>
inline constexpr std::string_view noun_of =
    name_of_record<Record>.substr(name_of_record<Record>.rfind('_') + 1);

/// The names of a record's fields: "first" and "last".
template <record Record>
std::string list_fields()
{
    std::string names;
    for_each_field<Record>([&](auto each) {
        names += each.place == 0 ? "\"" : each.place + 1 < field_count<Record> ? ", \"" : " and \"";
        names.append(each.name).append("\"");
    });
    return names;
}

/// Fills a record of texts.
template <record Record>
void take_members(raw_object& members, Record& whole)
{
    for (auto& [name, text] : members)
    {
        bool known = false;
        for_each_field<Record>([&, &name = name, &text = text](auto each) {
            if (name != each.name)
                return;
            known = true;
            raw_value one{std::move(text)};
            reading<typename decltype(each)::type>::take(one, each.of(whole));
        });
        if (!known)
            throw wrong_field{
                refusal_kind::malformed_request,
                " holds " + std::string{noun_of<Record>} + "s with " + list_fields<Record>() +
                    " only"};
    }
    for_each_field<Record>([&](auto each) {
        if (is_required<typename decltype(each)::type> &&
            std::ranges::find(members, each.name, &raw_object::value_type::first) == members.end())
            throw wrong_field{
                refusal_kind::malformed_request,
                " has a " + std::string{noun_of<Record>} + " without \"" + std::string{each.name} +
                    '"'};
    });
}

}  // namespace detail

/// A record inside of another one: each of its fields is a text.
template <record Record>
struct reading<Record>
{
    static constexpr unsigned accepts = takes_object;
    static constexpr std::string_view wanted{"an object of strings"};

    static void take(raw_value& raw, Record& value)
    {
        detail::take_members(std::get<raw_object>(raw), value);
    }
};

template <record Record>
struct reading<std::vector<Record>>
{
    static constexpr unsigned accepts = takes_objects;
    static constexpr std::string_view wanted{
        detail::shape_of<Record>.data(), detail::shape_of<Record>.size()};

    static void take(raw_value& raw, std::vector<Record>& list)
    {
        auto& objects = std::get<std::vector<raw_object>>(raw);
        list.reserve(objects.size());
        for (auto& each : objects)
            detail::take_members(each, list.emplace_back());
    }
};

template <class T>
requires is_list<T>
struct reading<T>
{
    static constexpr unsigned accepts = takes_list;
    static constexpr std::string_view wanted{"a list of strings"};

    static void take(raw_value& raw, T& list)
    {
        for (auto& text : std::get<std::vector<std::string>>(raw))
        {
            typename T::value_type element;
            raw_value one{std::move(text)};
            reading<typename T::value_type>::take(one, element);
            if (!is_known(list, element))
                list.push_back(std::move(element));
        }
    }

private:
    static bool is_known(auto const& list, auto const& element)
    {
        if constexpr (std::same_as<T, distinct<typename T::value_type>>)
            return std::ranges::find(list, element) != list.end();
        return false;
    }
};

template <class T>
struct reading<std::optional<T>>
{
    static constexpr unsigned accepts = reading<T>::accepts | takes_null;
    static constexpr std::string_view wanted{or_null(reading<T>::accepts, reading<T>::wanted)};

    static void take(raw_value& raw, std::optional<T>& value)
    {
        if (std::holds_alternative<std::nullptr_t>(raw))
            value.reset();
        else
            reading<T>::take(raw, value.emplace());
    }
};

template <class T>
struct reading<given<T>>
{
    static constexpr unsigned accepts = reading<T>::accepts;
    static constexpr std::string_view wanted =
        (accepts & takes_null) != 0 ? or_null(accepts & ~takes_null, reading<T>::wanted)
                                    : reading<T>::wanted;

    static void take(raw_value& raw, given<T>& field)
    {
        reading<T>::take(raw, field.value);
        field.present = true;
    }
};

/// A record with checks beyond those of its fields: check(record) throws wrong_field.
template <class T>
concept checked = requires(T const& value)
{
    check(value);
};

namespace detail {

template <record Record>
inline constexpr auto input_fields = map_fields<Record>([](auto each) {
    using type = typename decltype(each)::type;
    return input_field{
        .name = each.name,
        .about = each.note,
        .accepts = reading<type>::accepts,
        .wanted = reading<type>::wanted,
        .required = is_required<type>,
        .kept = is_given<type>,
        .bounds = bounds_of<type>,
        .take = [](raw_value& raw, void* whole
                ) { reading<type>::take(raw, decltype(each)::of(*static_cast<Record*>(whole))); },
        .append_schema = schema_of<type>::append};
});

}  // namespace detail

/// The type-erased description of an input record.
template <record Record>
inline constexpr input_type input_of{
    .name = name_of_record<Record>,
    .fields = detail::input_fields<Record>,
    .make = []() -> std::shared_ptr<void> { return std::make_shared<Record>(); },
    .check =
        [](void const* whole) {
            if constexpr (checked<Record>)
                check(*static_cast<Record const*>(whole));
        }};

}  // namespace gapless
