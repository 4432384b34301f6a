#pragma once

#include "base/csv_reader.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace gapless {

/// What a column of a table of blocks holds.
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

/// The column that is called so in English, German, French, Dutch, Italian, Spanish, a Nordic
/// language, in any case; words such as "number", and what is in brackets, are passed over:
/// "Sendungsnummer von" is first.
std::optional<block_column> find_block_column(std::string_view name);

/// True for what the line below a table is called that sums it up: "Gesamt", "Total:".
bool names_total(std::string_view name);

/// Where each column stands in a row.
struct block_heading
{
    static constexpr auto absent = static_cast<std::size_t>(-1);

    std::size_t count{};  // of columns, without empty ones at the end
    std::array<std::size_t, 5> places{absent, absent, absent, absent, absent};
    std::size_t doubled{absent};  // a column that is called like an earlier one

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

/// Reads the row that names the columns; those with other names have no place.
block_heading read_block_heading(csv_row const& row);

}  // namespace gapless
