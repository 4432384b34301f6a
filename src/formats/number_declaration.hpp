#pragma once

#include <cstddef>
#include <string>

namespace gapless {

inline constexpr std::size_t template_characters_max = 200;  // each of number, hrt, barcode data
inline constexpr std::size_t carrier_bytes_max = 200;
inline constexpr std::size_t number_characters_max = 64;
inline constexpr std::size_t format_name_characters_max = 63;

/// Total length of a number. 0 and 0: not declared, the template alone determines it.
struct declared_length
{
    std::size_t min{};  // characters, 1..number_characters_max
    std::size_t max{};  // characters, min..number_characters_max; equal to min in most formats

    friend bool operator==(declared_length const&, declared_length const&) = default;
};

/// What the parcel carries for machines: a symbology and the data encoded in it.
struct barcode_declaration
{
    std::string symbology;  // a name of symbology.hpp; empty: no barcode
    std::string data;       // "{number}", "(420){zip:N5-9}({ai}){number@2}"

    friend bool operator==(barcode_declaration const&, barcode_declaration const&) = default;
};

/// A number format as written down by a person. Unchecked; number_format checks it.
///
///   number := ( literal | field | '[' ( literal | field )* ']' )*
///   field  := {n:8}        the serial, eight digits, zero-padded
///           | {n:7:36}     the serial in base 36
///           | {n:*}        the serial, padded so that the number has `length` characters
///           | {c}          the check character
///           | {name:T L}   a parameter without the blank: {depot:X4}, {gcp:N4-12};
///                          T = N digits, A letters, X both; L = length, or shortest-longest
///   [ … ]  := what the check algorithm reads; several are joined
struct number_declaration
{
    std::string name;    // small letters, digits and dashes, 1..63 characters
    std::string number;  // the template above, "[{depot:N2}{kind:N2}{n:7}]{c}"
    declared_length length;
    std::string check{"none"};  // name of a check algorithm
    std::string hrt;            // how people read it: "#### ####" or "(00) {number}"; empty: as is
    barcode_declaration barcode;
    std::string carrier;  // who assigns the numbers, for people; empty: unknown

    friend bool operator==(number_declaration const&, number_declaration const&) = default;
};

}  // namespace gapless
