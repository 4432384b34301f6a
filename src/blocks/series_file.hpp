#pragma once

#include "base/refusal.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"
#include "series/series.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// A file of series: each row is a series and, if given, its first block.
namespace gapless::blocks {

/// The most series that one file may hold.
inline constexpr std::size_t series_file_rows_max = 50'000;

/// Largest file of series.
inline constexpr std::size_t series_file_bytes_max = 32'000'000;

/// The most faults that are reported for one file.
inline constexpr std::size_t series_file_faults_max = 20;

struct series_row : series::series_draft
{
    std::optional<written_number> first;
    std::optional<written_number> last;
    std::optional<decimal_digits> count;
    std::optional<std::string> reference;
    std::optional<last_moment> valid_until;
};
GAPLESS_RECORD(
    series_row,
    (series::series_draft),
    (first, "First number of its first block, in any spelling. Empty: it gets none."),
    (last, "Last number of the block."),
    (count, "How many numbers the carrier says it holds; has to agree."),
    (reference, "The carrier's letter, order or contract."),
    (valid_until, "Last day of the block, or a moment.")
)

struct series_line
{
    std::size_t line{};    // of its first character, from 1
    std::size_t column{};  // of the block's first number, from 1; 0: the file has none
    series_row row;
};

struct series_file
{
    std::vector<series_line> series;  // in the order of the file
    std::vector<line_fault> faults;   // by line; if there are any, ignore the series
    std::size_t blocks{};             // rows that have one
};

/// Reads CSV as open_table takes it. The first row names the columns, by the fields of series_row
/// in any order and case; `params.KEY` is a parameter of the format. The columns of the block may
/// also be called as find_block_column knows them, and its numbers, counts and days are written as
/// in a file of blocks. An empty cell leaves the default. Whether format, numbers and names fit is
/// for the database to say. Pure.
series_file read_series_file(std::string_view bytes);

}  // namespace gapless::blocks
