#pragma once

#include "base/moment.hpp"

#include <optional>
#include <string>
#include <string_view>

/// Handles how people and spreadsheets write names, numbers and dates. Pure.
namespace gapless {

/// The advice for a number that came as 4,9E+18.
extern std::string_view const exponent_advice;

/// The advice if Excel kept only 15 digits of a number.
extern std::string_view const rounding_advice;

/// The heading of a column for comparison: lower case, without blanks, dashes, points, and text in
/// brackets: "Gültig bis" is "gültigbis", "Betrag (EUR)" is "betrag".
std::string to_heading(std::string_view text);

/// The characters of a number alone: without blanks and other invisible characters (unseen_bytes),
/// without what makes Excel keep it as text (a leading apostrophe, or ="…" around it), and without
/// a scanner's symbology prefix (]C1).
std::string to_number_text(std::string_view field);

/// The length in UTF-8 bytes of a leading character that numbers contain only by accident: blanks
/// of any width, zero-width characters, soft hyphen, byte order mark, and FNC1 as scanners send it
/// (0x1d). 0: another character, or none.
std::size_t unseen_bytes(std::string_view text) noexcept;

/// True for 4,9E+18: a number that a spreadsheet shows rounded.
bool has_exponent(std::string_view text) noexcept;

/// Why a text is no number of a carrier, if a spreadsheet shows it rounded; empty: it does not.
/// Where numbers have letters, 4E18 may be one of them.
std::string exponent_fault(std::string_view text, bool has_letters);

/// True for 16 digits and more of which all behind the fifteenth are 0, as Excel leaves them. Such
/// a number may also be a true one.
bool looks_rounded(std::string_view text) noexcept;

/// The fault of a block of one number, `last`, that looks rounded. If both ends of a block are
/// below a power of ten, cut to 15 digits they are equal.
std::string one_number_fault(std::string_view last);

/// A count without the marks between groups of three digits: 1.000, 1,000, 1'000. Text that is not
/// grouped stays as it is.
std::string to_count_text(std::string_view field);

/// A day as 2027-12-31 if it is written 31.12.2027; anything else stays as it is.
std::string to_moment_text(std::string_view field);

}  // namespace gapless
