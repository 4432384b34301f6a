#pragma once

#include "formats/number_declaration.hpp"
#include "formats/number_format.hpp"

#include <span>
#include <string_view>

namespace gapless {

/// The format of a series that was created without one: the serial in decimal digits.
inline constexpr std::string_view default_format_name{"plain"};

/// A format that comes with gapless. Members that a format does not use keep their defaults.
struct catalogue_row
{
    std::string_view name;
    std::string_view carrier;  // who assigns them; empty: nobody
    std::string_view number;
    declared_length length{};
    std::string_view check{"none"};
    std::string_view hrt{};
    std::string_view symbology{};
    std::string_view data{};
};

/// Every format, in the order of the documentation; "plain" is the first.
std::span<catalogue_row const> catalogue() noexcept;

/// The declaration that a row describes.
number_declaration to_declaration(catalogue_row const& row);

/// The compiled format of that name, or nothing. Compiles the whole catalogue at the first call;
/// safe from any thread, the result lives as long as the program.
number_format const* find_format(std::string_view name);

}  // namespace gapless
