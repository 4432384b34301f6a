#pragma once

#include <string>
#include <string_view>

/// CSV as gapless writes it: RFC 4180 with LF, or what a German Excel opens by a double click.
namespace gapless {

/// How rows are written. For Excel: a byte order mark, ; between fields, a comma in decimals, and
/// numbers of more than 15 digits, or with leading zeros, as ="…", which Excel does not round.
struct csv_style
{
    bool excel{};
    bool guessed{};  // fields with the separator of others are quoted, too: a reader may guess it

    char separator() const noexcept { return excel ? ';' : ','; }

    /// What stands before the first row.
    std::string_view start() const noexcept { return excel ? "\xef\xbb\xbf" : ""; }
};

/// Appends a field: quoted where RFC 4180 wants it, with an apostrophe in front of what a
/// spreadsheet would take for a formula.
void append_csv_text(std::string& out, std::string_view text, csv_style style = {});

/// Appends a field that holds a number, or nothing; without the apostrophe.
void append_csv_number(std::string& out, std::string_view number, csv_style style = {});

/// Appends the names of the columns, given with commas, and the end of the line.
void append_csv_heading(std::string& out, std::string_view names, csv_style style = {});

}  // namespace gapless
