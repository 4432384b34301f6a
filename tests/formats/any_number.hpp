#pragma once

#include "formats/bound_format.hpp"
#include "formats/catalogue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <rapidcheck.h>
#include <string>

namespace gapless::test {

/// A text that fits a parameter.
inline std::string any_text(parameter_spec const& spec, std::size_t length)
{
    constexpr std::string_view characters{"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"};
    auto const first = spec.characters == character_class::letters ? 10 : 0;
    auto const last = spec.characters == character_class::digits ? 10 : 36;
    std::string text;
    while (text.size() < length)
        text += characters[static_cast<std::size_t>(*rc::gen::inRange(first, last))];
    return text;
}

/// A format bound to parameters that fit and leave room for the serial.
inline bound_format any_bound(number_format const& format)
{
    for (;;)
    {
        parameter_values parameters;
        for (auto const& [spec, is_in_number] : format.parameters())
            if (is_in_number)
                parameters[spec.name] =
                    any_text(spec, *rc::gen::inRange(spec.length_min, spec.length_max + 1));
        if (auto bound = bound_format::bind(format, parameters); bound.has_value())
            return *bound;
    }
}

/// Small and large serials alike, both ends included.
inline std::int64_t any_serial(bound_format const& format)
{
    auto const max = format.serial_max();
    switch (*rc::gen::inRange(0, 4))
    {
    case 0: return *rc::gen::inRange<std::int64_t>(0, std::min<std::int64_t>(max, 2000) + 1);
    case 1: return max - *rc::gen::inRange<std::int64_t>(0, std::min<std::int64_t>(max, 2000) + 1);
    case 2: return *rc::gen::element<std::int64_t>(0, max, max / 2, max / 10, max / 36);
    default: return *rc::gen::inRange<std::int64_t>(0, max);
    }
}

/// Checks a property of bound formats for every format of the catalogue.
template <class Property>
void for_each_format(Property const& property)
{
    for (auto const& row : catalogue())
    {
        auto const& format = *find_format(row.name);
        CHECK_MESSAGE(
            rc::check(std::string{row.name}, [&] { property(any_bound(format)); }), row.name
        );
    }
}

/// The digits of a serial in any base, made the slow way.
inline std::string digits_of(std::int64_t serial, int base)
{
    std::string digits;
    do
    {
        auto const digit = static_cast<char>(serial % base);
        digits.insert(
            digits.begin(), static_cast<char>(digit < 10 ? '0' + digit : 'A' + digit - 10)
        );
        serial /= base;
    } while (serial != 0);
    return digits;
}

}  // namespace gapless::test
