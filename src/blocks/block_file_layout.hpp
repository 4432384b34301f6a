#pragma once

#include "base/table_text.hpp"
#include "blocks/block_heading.hpp"
#include "formats/block_ends.hpp"
#include "formats/serial_range.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Where a file has its table.
struct block_layout
{
    block_heading columns;
    char separator{};
    csv_row heading;       // its line is 0 where there is none
    std::size_t begins{};  // the line of the first block, or the one of the heading
    std::string guess;     // what columns without names were taken for, if that is not sure
};

/// True for what may be written as the end of a block: more digits than letters, and no day.
bool may_be_number(std::string_view field);

/// The serials of two ends; none: they are no block, or one end is no number.
std::optional<serial_range> find_serials(
    bound_format const* format, std::string_view first, std::string_view last
);

/// True for a field that can be no end of the block that begins with a number, but its count.
bool may_count_from(bound_format const* format, std::string_view first, std::string_view field);

/// How many fields hold something.
std::size_t count_filled(csv_row const& row);

/// Finds the row that names the columns among the first rows. Without one, rows that begin with two
/// numbers have first and last, and behind them a count, a reference, a day in any order. None:
/// this is no table of blocks.
std::optional<block_layout> find_layout(table_text const& table, bound_format const* format);

}  // namespace gapless
