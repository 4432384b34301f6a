#pragma once

#include "domain/format/block_ends.hpp"
#include "domain/issuance.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::cli {

/// Most blocks one file may hold.
inline constexpr std::size_t block_file_rows_max = 100'000;

/// Largest block file.
inline constexpr std::size_t block_file_bytes_max = 32'000'000;

/// Most faults that are reported of one file.
inline constexpr std::size_t block_file_faults_max = 20;

/// One block as a line of the file states it.
struct block_line
{
    std::size_t line{};    // of its first character, from 1
    std::size_t column{};  // of its first serial, from 1
    std::int64_t first{};  // serial
    std::int64_t last{};   // serial, not before first
    std::optional<std::string> reference;
    std::optional<database_time> valid_until;
};

/// What is wrong with a file, and where.
struct file_fault
{
    std::size_t line{};    // from 1; 0: the file as a whole
    std::size_t column{};  // of the table, from 1; 0: the line as a whole
    std::string what;      // "last: '1e9' is not a whole number …"
};

/// A file that was read: blocks in the order of the file, usable only without faults.
struct block_file
{
    std::vector<block_line> blocks;
    std::vector<file_fault> faults;  // by line, block_file_faults_max at most
    std::uint64_t numbers{};         // in all blocks
    std::size_t whole_numbers{};     // blocks whose ends are whole numbers, not serials
};

/// Reads a table of blocks: CSV in UTF-8, a byte order mark allowed, lines ending in LF or CRLF,
/// fields quoted as in RFC 4180. The first line names the columns in any order, separated by "," or
/// ";":
///
///   first,last,count,reference,valid_until        first and last are required
///   4901214213405250000,4901214213405500000,250001,letter of 2026-11-02,2027-12-31
///
/// Both ends are included, serials or whole numbers in `format` (none: serials); a stated count has
/// to agree; blocks must not overlap one another. Pure.
block_file read_block_file(std::string_view text, bound_format const* format = nullptr);

/// "blocks.csv:17: column 2: last: …"; without column or line where the fault has none.
std::string to_text(file_fault const& fault, std::string_view file);

}  // namespace gapless::cli
