#pragma once

#include "base/csv_writer.hpp"
#include "record/column.hpp"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace gapless::cli {

enum class output_format
{
    table = 1,  // for people
    json,       // one document: an array for a list, an object for a single thing
    csv,        // a header line, then one line per row; quoted as in RFC 4180, lines end in LF
};

using gapless::column;

/// Aligned columns under a header in capitals, one line per element of the array `rows`. Absent
/// values are "-". Control characters are escaped, so that a reference cannot repaint a terminal.
std::string to_table(
    nlohmann::ordered_json const& rows, std::span<column const> columns, bool color
);

/// One line per column of a single object, "name  value"; columns without a member are left out.
std::string to_details(
    nlohmann::ordered_json const& object, std::span<column const> columns, bool color
);

/// RFC 4180 with LF; absent values are empty. A text that a spreadsheet would take for a formula
/// (starting with = + - @, tab or carriage return) gets a leading apostrophe.
std::string to_csv(
    nlohmann::ordered_json const& rows, std::span<column const> columns, csv_style style = {}
);

/// The document, indented by two spaces, with a line end.
std::string to_json_text(nlohmann::ordered_json const& document);

/// An output that accepts no more data: a full disk, for example. what() is the whole message.
struct output_failed : std::runtime_error
{
    using std::runtime_error::runtime_error;
};

/// Writes everything to a file descriptor. Throws output_failed with the system's reason, also if
/// the reader has gone.
void write_output(int descriptor, std::string_view text);

/// Writes to standard error as much as it takes: what is done is done, whether or not anybody reads
/// about it.
void write_message(std::string_view text) noexcept;

/// As write_output, for a text of which a reader may want only the beginning. False: it has gone.
bool write_while_read(int descriptor, std::string_view text);

}  // namespace gapless::cli
