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

/// Where a text stops being CSV.
struct csv_fault
{
    std::size_t line{};
    std::string what;
};

/// Hands each row to `take` until it returns false. Blank lines are no rows; blanks around unquoted
/// fields are dropped. A row may span lines inside quotes; a quote inside an unquoted field is a
/// character like others. `first_line` is the line in which `text` begins. Returns none when the
/// text was read through, or left by `take`.
std::optional<csv_fault> read_csv(
    std::string_view text,
    char separator,
    std::function<bool(csv_row)> const& take,
    std::size_t first_line = 1
);

/// The field at a place, from 0; an empty one where the row ends before it.
std::string const& field_of(csv_row const& row, std::size_t place);

/// True when no field of the row holds anything: what Excel writes below a table.
bool is_empty(csv_row const& row) noexcept;

}  // namespace gapless
