#pragma once

#include "base/limits.hpp"
#include "formats/format_refusal.hpp"
#include "formats/number_format.hpp"
#include "formats/parameter.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

inline constexpr std::size_t read_characters_max = 200;  // of a text to be read as a number

/// What a text contains in place of the check character.
enum class check_text : std::uint8_t
{
    right = 1,
    missing,  // no character, as in ranges from carriers
    any,      // any character; a wrong one is corrected
};

/// A number taken apart.
struct number_parts
{
    std::string number;                  // as printed: separators only where the template has them
    std::string serial_text;             // as in the number, zero-padded, in the base of the format
    std::optional<std::int64_t> serial;  // none: letters in base 10, or above serial_max
    parameter_values parameters;         // those whose position is certain
    bool is_ambiguous{};  // parameters of variable length were taken at their longest
};

/// Splits a number into the parts of its format. `known` are parameters that it must contain, from
/// read_parameters; the others are read from the number.
///
/// Small letters are read as capitals; blanks and what to_number_text() leaves out are skipped.
/// Dots and dashes are skipped where the number or its hrt has them, and between groups of three
/// digits, as in 5.000.000.000; brackets in formats that have application identifiers. A
/// spreadsheet makes 101.0 of 101, which is not 1010. A barcode's application identifiers in front,
/// as in (00) or 420 and a ZIP, are skipped where the format's barcode has them. No character is
/// taken for another: O is not 0.
///
/// Refuses with the reason: length, the first character that does not fit, the parameter that
/// differs, the check character with the expected and the found one, or a misplaced dot, dash or
/// bracket.
format_result<number_parts> read_number(
    number_format const& format,
    parameter_values const& known,
    std::string_view text,
    check_text check = check_text::right
);

/// The value of digits in base 10 or 36; nullopt if above serial_max or with another character.
std::optional<std::int64_t> to_serial(std::string_view digits, int base) noexcept;

/// `text` in the form of to_number_text(), without separators and brackets, in capitals: the form
/// for comparing texts.
std::string to_bare(std::string_view text);

/// True if a dot, dash or bracket of `text` is not between groups of three digits: to_bare would
/// turn -1 and 1.0 into other numbers.
bool has_stray_mark(std::string_view text);

}  // namespace gapless
