#pragma once

#include "base/table_text.hpp"
#include "formats/block_ends.hpp"
#include "issuing/issuance.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// The most blocks that one file may hold.
inline constexpr std::size_t block_file_rows_max = 100'000;

/// Largest block file.
inline constexpr std::size_t block_file_bytes_max = 32'000'000;

/// The most faults that are reported for one file.
inline constexpr std::size_t block_file_faults_max = 20;

/// One block as a line of the file states it.
struct block_line
{
    std::size_t line{};             // of its first character, from 1
    std::size_t column{};           // of its first serial, from 1
    std::size_t validity_column{};  // the same for valid_until; 0: the file has none
    std::int64_t first{};           // serial
    std::int64_t last{};            // serial, not before first
    std::optional<std::string> reference;
    std::optional<last_moment> valid_until;
    std::string completed;  // as block_ends::completed
};

/// The result of reading a file: blocks in file order, usable only if there are no faults.
struct block_file
{
    std::vector<block_line> blocks;
    std::vector<line_fault> faults;        // by line, at most block_file_faults_max
    std::vector<load_warning> warnings{};  // what was not read, or is a guess
    std::uint64_t numbers{};               // in all blocks
    std::size_t whole_numbers{};           // blocks whose ends are whole numbers, not serials
};

/// Reads a table of blocks in a format of open_table; fields are quoted as in RFC 4180. A row
/// without numbers names the columns in any order (find_block_column):
///
///   first,last,count,reference,valid_until        first and last are required
///   4901214213405250000,4901214213405500000,250001,letter of 2026-11-02,2027-12-31
///
///   Produkt;Von;Bis;Anzahl;Gültig bis
///   Paket;4901 2142 1340 5250 000;4901 2142 1340 5500 000;250.001;31.12.27
///
/// Without it, find_layout tells the columns, and text that is not a table is read as by
/// read_block_text. Both ends are included, as serials or whole numbers in `format` (none:
/// serials); a stated count must agree, as must a line of totals; blocks must not overlap each
/// other. A day with two readings is a fault. Unread columns and lines, and what only the order
/// tells, are warnings. Empty rows, and empty columns after the last one, are ignored. Numbers that
/// a spreadsheet rounded are faults if that can be detected. Pure.
block_file read_block_file(std::string_view text, bound_format const* format = nullptr);

}  // namespace gapless
