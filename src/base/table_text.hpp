#pragma once

#include "base/refusal.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// "blocks.csv:17: column 2: last: …"; without column or line if the fault has none.
std::string to_text(line_fault const& fault, std::string_view file);

/// The text of a CSV file, ready for read_csv.
struct table_text
{
    std::string_view text;  // UTF-8; points into the bytes that were opened, or into `converted`
    char separator{','};
    std::size_t first_line{1};               // of the file, where `text` begins
    std::unique_ptr<std::string> converted;  // null: the bytes were UTF-8
};

/// Decodes a CSV file as Excel and others write it: UTF-8, with or without a byte order mark,
/// UTF-16 with one, or Windows-1252. A first line `sep=;` names the separator; otherwise it is the
/// one of ; tab | and , that occurs equally often in most lines; the frame of a table drawn with |
/// (Markdown) is removed. The fault of anything else (a workbook, a web page, a PDF, EDIFACT …)
/// says how to make CSV of it. The bytes must outlive the text.
std::optional<line_fault> open_table(std::string_view bytes, table_text& opened);

}  // namespace gapless
