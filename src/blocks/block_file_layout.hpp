#pragma once

#include "base/table_text.hpp"
#include "blocks/block_heading.hpp"
#include "formats/block_ends.hpp"
#include "formats/serial_range.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// Where the table is in a file.
struct block_layout
{
    block_heading columns;
    char separator{};
    csv_row heading;       // its line is 0 if there is none
    std::size_t begins{};  // line of the first block, or of the heading
    std::string guess;     // the assumption about unnamed columns, if uncertain
};

/// True for text that may be the end of a block: more digits than letters, and not a day.
bool may_be_number(std::string_view field);

/// The serials of two ends; nullopt: they do not form a block, or one end is not a number.
std::optional<serial_range> find_serials(
    bound_format const* format, std::string_view first, std::string_view last
);

/// True for a field that cannot be the end of the block that `first` begins, only its count.
bool may_count_from(bound_format const* format, std::string_view first, std::string_view field);

/// How many fields are not empty.
std::size_t count_filled(csv_row const& row);

/// Finds the row that names the columns among the first rows. Without one, rows that begin with two
/// numbers have first and last, followed by a count, a reference and a day in any order. Nullopt:
/// not a table of blocks.
std::optional<block_layout> find_layout(table_text const& table, bound_format const* format);

}  // namespace gapless
