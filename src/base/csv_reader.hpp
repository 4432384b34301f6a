#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// One row of a CSV text.
struct csv_row
{
    std::size_t line{};  // of its first character, from 1
    std::vector<std::string> fields;
};

/// Most fields of a row. Empty ones behind them, as Excel writes for each column that was ever
/// touched, do not count.
inline constexpr std::size_t csv_fields_max = 1'000;

/// Where a text stops being CSV, or has a row with too many fields.
struct csv_fault
{
    std::size_t line{};
    std::string what;
};

/// Passes each row to `take` until it returns false. Skips blank lines, and drops blanks around
/// unquoted fields. A row may span lines inside quotes; a quote inside an unquoted field is an
/// ordinary character. `first_line` is the line in which `text` begins. Returns nullopt if the text
/// was read to its end, or `take` stopped it.
std::optional<csv_fault> read_csv(
    std::string_view text,
    char separator,
    std::function<bool(csv_row)> const& take,
    std::size_t first_line = 1
);

/// The field at an index, from 0; empty if the row has fewer.
std::string const& field_of(csv_row const& row, std::size_t place);

/// True if every field of the row is empty, like the rows that Excel writes below a table.
bool is_empty(csv_row const& row) noexcept;

/// The headings of a row, quoted, for a message; of many the first ones.
std::string list_headings(csv_row const& row);

}  // namespace gapless
