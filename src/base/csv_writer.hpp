#pragma once

#include <boost/describe/enum.hpp>

#include <optional>
#include <string>
#include <string_view>

/// CSV as gapless writes it: RFC 4180 with LF for programs, or what Excel opens by a double click.
namespace gapless {

/// In which language Excel runs.
enum class excel_language
{
    de = 1,  // ; between fields, a comma in decimals
    en,
};
BOOST_DESCRIBE_ENUM(excel_language, de, en)

/// How rows are written. For programs each value as it is. For Excel a byte order mark in front;
/// numbers that it would change (more than 15 digits, leading zeros, 12E5) as ="…"; and an
/// apostrophe in front of what it would take for a formula.
struct csv_style
{
    std::optional<excel_language> excel;
    bool guessed{};  // fields with the separator of others are quoted, too: a reader may guess it

    char separator() const noexcept { return excel == excel_language::de ? ';' : ','; }

    /// What stands before the first row.
    std::string_view start() const noexcept { return excel ? "\xef\xbb\xbf" : ""; }
};

/// Appends a field, quoted where RFC 4180 wants it.
void append_csv_text(std::string& out, std::string_view text, csv_style style = {});

/// Appends a field that holds a number, or nothing: never a formula.
void append_csv_number(std::string& out, std::string_view number, csv_style style = {});

/// Appends the names of the columns, given with commas, and the end of the line; for a German Excel
/// in German.
void append_csv_heading(std::string& out, std::string_view names, csv_style style = {});

/// A word that stands for a state or a finding; for a German Excel in German.
std::string to_csv_word(std::string_view word, csv_style style);

}  // namespace gapless
