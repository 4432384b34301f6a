#pragma once

#include "base/moment.hpp"

#include <optional>
#include <string>
#include <string_view>

/// What people and spreadsheets make of names, numbers and dates. Pure.
namespace gapless {

/// The way out where a number came as 4,9E+18.
extern std::string_view const exponent_advice;

/// The way out where Excel kept 15 digits of a number.
extern std::string_view const rounding_advice;

/// The heading of a column as it is compared: small letters without blanks, dashes and points. What
/// is in brackets is left out: "Gültig bis" is "gültigbis", "Betrag (EUR)" is "betrag".
std::string to_heading(std::string_view text);

/// A number as its characters alone: without blanks and what else nobody sees (unseen_bytes), what
/// makes Excel keep it as text (an apostrophe in front, or ="…" around it), and the symbology that
/// a scanner names in front (]C1).
std::string to_number_text(std::string_view field);

/// How many bytes of UTF-8 the character at the front takes, where numbers have it by accident
/// only: blanks of any width, characters without a width, soft hyphen, byte order mark, and FNC1 as
/// scanners send it (0x1d). 0: it is another character, or there is none.
std::size_t unseen_bytes(std::string_view text) noexcept;

/// True for 4,9E+18: a number that a spreadsheet shows rounded.
bool has_exponent(std::string_view text) noexcept;

/// Why a text is no number of a carrier, if a spreadsheet shows it rounded; empty: it does not.
/// Where numbers have letters, 4E18 may be one of them.
std::string exponent_fault(std::string_view text, bool has_letters);

/// True for 16 digits and more of which all behind the fifteenth are 0, as Excel leaves them. Such
/// a number may also be a true one.
bool looks_rounded(std::string_view text) noexcept;

/// A count without the marks between groups of three digits: 1.000, 1,000, 1'000. What is not
/// grouped stays as it is.
std::string to_count_text(std::string_view field);

/// A day as 2027-12-31 where it is written 31.12.2027; anything else stays as it is.
std::string to_moment_text(std::string_view field);

}  // namespace gapless
