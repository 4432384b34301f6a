#pragma once

#include <boost/describe/enum.hpp>

#include <optional>
#include <string>
#include <string_view>

/// CSV as gapless writes it: RFC 4180 with LF for programs, or what Excel opens by a double click.
namespace gapless {

/// The language of Excel's user interface.
enum class excel_language
{
    de = 1,  // ; between fields, a comma in decimals
    en,
};
BOOST_DESCRIBE_ENUM(excel_language, de, en)

/// How rows are written. For programs each value as it is. For Excel with a byte order mark; with
/// numbers that it would change (more than 15 digits, leading zeros, 12E5) as ="…"; and with an
/// apostrophe before anything that it would take for a formula.
struct csv_style
{
    std::optional<excel_language> excel;
    bool guessed{};  // also quotes fields with other separators, which a reader may guess

    char separator() const noexcept { return excel == excel_language::de ? ';' : ','; }

    /// The bytes before the first row.
    std::string_view start() const noexcept { return excel ? "\xef\xbb\xbf" : ""; }
};

/// Appends a field, quoted if RFC 4180 requires it.
void append_csv_text(std::string& out, std::string_view text, csv_style style = {});

/// Appends a field that contains a number, or nothing: never a formula.
void append_csv_number(std::string& out, std::string_view number, csv_style style = {});

/// Appends the names of the columns, given separated by commas, and the line end; for a German
/// Excel in German.
void append_csv_heading(std::string& out, std::string_view names, csv_style style = {});

/// The word for a state or a finding; for a German Excel in German.
std::string to_csv_word(std::string_view word, csv_style style);

}  // namespace gapless
