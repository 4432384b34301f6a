#pragma once

#include "base/moment.hpp"
#include "base/refusal.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Values as people write them on a command line or in a file. Pure; nothing here may throw but for
/// want of memory.
namespace gapless::written {

/// What may stand between groups of three digits of a number, and how often at least: one alone may
/// be a spreadsheet's decimal point, as in 101.000.
inline constexpr std::string_view group_marks{".-"};
inline constexpr std::size_t group_marks_min{2};

/// Reads digits 0-9 and nothing else, leading zeros allowed. Refuses with malformed_request (a
/// sign, a blank, an exponent, nothing at all) and out_of_range (not within min … max; says the
/// limit).
result<std::int64_t> read_integer(std::string_view text, std::int64_t min, std::int64_t max);

/// Reads a serial, 0 … serial_max. What to_number_text() leaves out is skipped, and the marks of
/// 5.000.000: group_marks_min group_marks or more between groups of three digits.
result<std::int64_t> read_serial(std::string_view text);

/// Reads how many numbers a carrier says a block holds, as to_count_text() has it. Returns
/// canonical digits: the value may be larger than any block. Refuses with malformed_request.
result<std::string> read_stated_count(std::string_view written);

/// Reads a reference: UTF-8 without control characters, up to reference_characters_max characters;
/// an empty one is none. Refuses with malformed_request and out_of_range.
result<std::optional<std::string>> read_reference(std::string_view text);

/// Refuses with out_of_range a moment outside the years 1 to 9999, as it is in UTC: with an offset
/// 9999-12-31 can be one of the year 10000, which no RFC 3339 text can say.
result<void> check_moment(database_time moment);

/// Reads a day or a moment as first_moment and last_moment hold it. Refuses with malformed_request,
/// and like check_moment.
result<std::string> read_moment(std::string_view text);

/// True for well-formed UTF-8 without the character NUL.
bool is_text(std::string_view bytes) noexcept;

/// True for a text in UTF-8 with a control character, those from U+0080 to U+009F included.
bool has_control_character(std::string_view text) noexcept;

/// Takes the character at the front of a text that is not empty, as a message shows it: \x1d,
/// \u200b where nobody would see it, and with in_ascii where it is not ASCII.
std::string take_shown(std::string_view& text, bool in_ascii);

/// The text between quotes for a message, as take_shown() has it, cut after 60 characters.
std::string to_quoted(std::string_view text);

}  // namespace gapless::written
