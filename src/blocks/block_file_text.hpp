#pragma once

#include "base/csv_reader.hpp"
#include "formats/block_ends.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// Largest text that is not a table, such as a letter or an e-mail.
inline constexpr std::size_t block_text_bytes_max = 65'536;

/// Blocks found in a text.
struct block_text
{
    std::vector<csv_row> blocks;  // first, last, count, empty, valid_until; the line of the first
    std::vector<std::string> unread;  // other numbers and days, as written
    std::string why_none;             // why there are no blocks; empty: there are
};

/// Finds the ends of blocks in a text that is not a table: "von A bis B", "Start: A Ende: B",
/// "A – B", two numbers in a line, or two alone. Numbers have at least six digits. If it is unclear
/// which belong together, there are no blocks. Pure.
block_text read_block_text(std::string_view text, bound_format const* format);

}  // namespace gapless
