#pragma once

#include "base/csv_reader.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
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

/// Where each column stands in a row.
struct block_heading
{
    static constexpr auto absent = static_cast<std::size_t>(-1);

    std::size_t count{};  // of columns, without empty ones at the end
    std::array<std::size_t, 5> places{absent, absent, absent, absent, absent};

    std::size_t place(block_column column) const noexcept
    {
        return places[static_cast<std::size_t>(column)];
    }
    bool has(block_column column) const noexcept { return place(column) != absent; }
};

/// Reads the row that names the columns; it is not empty. `add` takes each fault with the column it
/// is in, from 1, or 0: an unknown name, one that stands there twice, no first or last.
block_heading read_block_heading(
    csv_row const& row, std::function<void(std::size_t column, std::string what)> const& add
);

}  // namespace gapless
