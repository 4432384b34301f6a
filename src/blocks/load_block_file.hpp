#pragma once

#include "blocks/block_cases.hpp"
#include "blocks/block_file.hpp"
#include "formats/series_entry.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::cases {

/// The blocks of a file as a load into the series. Refuses with out_of_range and all faults of the
/// file, which is called `name` in the detail.
result<load_blocks> to_load(std::string const& series, block_file file, std::string_view name);

/// Most blocks of one file over HTTP: a database thread loads them within write_time_max.
inline constexpr std::size_t loaded_blocks_max = 30'000;

/// Loads the blocks of a CSV file into a series in their order, all or none. Refuses as
/// load_blocks, and with out_of_range for a file that cannot be read, where `faults` says why, or
/// that has more than loaded_blocks_max blocks.
struct load_block_file
{
    using answer = loaded_blocks;
    series_entry const* series{};              // outlives the case
    std::shared_ptr<std::string const> bytes;  // of the file
    std::vector<std::string> confirmed{};      // codes of warnings
    bool dry_run{};                            // as of load_blocks

    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
