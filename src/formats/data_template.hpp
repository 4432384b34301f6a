#pragma once

#include "formats/format_refusal.hpp"
#include "formats/parameter.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

enum class data_piece_kind : std::uint8_t
{
    literal = 1,
    number,  // the number or a slice of it
    parameter,
};

/// One piece of a data template.
struct data_piece
{
    data_piece_kind kind{data_piece_kind::literal};
    std::string text{};       // literal: its characters; parameter: its name
    parameter_spec spec{};    // parameter: as written; length_max 0: only the name is given
    std::size_t first{0};     // number: position of the first character, from 0
    std::size_t last{0};      // number: position after the last one; 0: up to the end
    std::size_t position{1};  // where it starts in the template, from 1
};

/// Reads the template of what people read or of what a barcode carries:
///
///   data  := ( literal | field )*
///   field := {number} | {number@2} from character 2 (the first is 0) | {number@0-14} up to,
///            not including, 14 | {name} a parameter | {name:T L} one that only stands here
///
/// Refuses with the position, after `what`: "hrt position 3: ...".
format_result<std::vector<data_piece>> read_data_template(
    std::string_view what, std::string_view text
);

/// True for a mask such as "## ####": no fields, each # is one character of the number.
bool is_mask(std::string_view text) noexcept;

/// `number` laid out by the mask, which has as many # as the number has characters.
std::string lay_out(std::string_view mask, std::string_view number);

/// The text that a data template makes of a number. Refuses a parameter that is missing.
format_result<std::string> fill_in(
    std::span<data_piece const> pieces, std::string_view number, parameter_values const& values
);

}  // namespace gapless
