#pragma once

#include "base/csv_reader.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gapless {

/// The content of a column in a table of blocks.
enum class block_column : std::size_t
{
    first = 0,
    last,
    count,
    reference,
    valid_until
};

/// "first" …
std::string_view name_of(block_column column) noexcept;

/// The column of that name in English, German, French, Dutch, Italian, Spanish or a Nordic
/// language, in any case; ignores words such as "number", and text in brackets: "Sendungsnummer
/// von" is first.
std::optional<block_column> find_block_column(std::string_view name);

/// True for names of the line of totals below a table: "Gesamt", "Total:".
bool names_total(std::string_view name);

/// The position of each column in a row.
struct block_heading
{
    static constexpr auto absent = static_cast<std::size_t>(-1);

    std::size_t count{};  // of columns, without empty ones at the end
    std::array<std::size_t, 5> places{absent, absent, absent, absent, absent};
    std::size_t doubled{absent};  // a column named like an earlier one

    std::size_t& place(block_column column) noexcept
    {
        return places[static_cast<std::size_t>(column)];
    }
    std::size_t place(block_column column) const noexcept
    {
        return places[static_cast<std::size_t>(column)];
    }
    bool has(block_column column) const noexcept { return place(column) != absent; }
};

/// Reads the row that names the columns; columns with other names have no place.
block_heading read_block_heading(csv_row const& row);

}  // namespace gapless
