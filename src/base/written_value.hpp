#pragma once

#include "base/moment.hpp"
#include "base/refusal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Values as people write them on a command line or in a file. Pure; throws only when out of
/// memory.
namespace gapless::written {

/// Allowed between groups of three digits of a number, and at least how often: a single one may be
/// a spreadsheet's decimal point, as in 101.000.
inline constexpr std::string_view group_marks{".-"};
inline constexpr std::size_t group_marks_min{2};

/// Reads digits 0-9 only; leading zeros are allowed. Refuses with malformed_request (a sign, a
/// blank, an exponent, an empty text) and out_of_range (not within min … max; names the limit).
result<std::int64_t> read_integer(std::string_view text, std::int64_t min, std::int64_t max);

/// Reads a serial, 0 … serial_max. Skips what to_number_text() removes, and the marks of 5.000.000:
/// at least group_marks_min of group_marks between groups of three digits.
result<std::int64_t> read_serial(std::string_view text);

/// Reads how many numbers a block has according to its carrier, after to_count_text(). Returns
/// canonical digits: the value may exceed any block. Refuses with malformed_request.
result<std::string> read_stated_count(std::string_view written);

/// Reads a reference: UTF-8 without control characters, up to reference_characters_max characters;
/// an empty one becomes none. Refuses with malformed_request and out_of_range.
result<std::optional<std::string>> read_reference(std::string_view text);

/// Refuses with out_of_range a moment outside the years 1 to 9999 in UTC: with an offset,
/// 9999-12-31 can be in the year 10000, which RFC 3339 cannot express.
result<void> check_moment(database_time moment);

/// Reads a day or a moment for first_moment and last_moment. Refuses with malformed_request, and
/// like check_moment.
result<std::string> read_moment(std::string_view text);

/// True for well-formed UTF-8 without the character NUL.
bool is_text(std::string_view bytes) noexcept;

/// True if a UTF-8 text has a control character, including U+0080 to U+009F.
bool has_control_character(std::string_view text) noexcept;

/// True if every character of a text can be seen, as a name's should: it is UTF-8, and blanks are
/// the only characters that take_shown() has another form for.
bool is_visible(std::string_view text);

/// Takes the character at the front of a non-empty text, in the form for messages: \x1d or \u200b
/// if it is invisible, and with in_ascii if it is not ASCII.
std::string take_shown(std::string_view& text, bool in_ascii);

/// The text in quotes for a message, in the form of take_shown(), cut after 60 characters.
std::string to_quoted(std::string_view text);

/// Whether the text is written like a day (2027-02-30), whether or not there is one.
bool looks_like_day(std::string_view text) noexcept;

}  // namespace gapless::written
