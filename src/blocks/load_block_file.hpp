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

/// Converts the blocks of a file to a load into the series. Refuses with out_of_range and all
/// faults of the file, whose name in the detail is `name`.
result<load_blocks> to_load(std::string const& series, block_file file, std::string_view name);

/// The most blocks of one file over HTTP: a database thread loads them within load_time_max.
inline constexpr std::size_t loaded_blocks_max = 30'000;

/// Loads the blocks of a CSV file into a series in their order, all or none. Refuses like
/// load_blocks, and with out_of_range for a file that cannot be read (`faults` says why) or has
/// more than loaded_blocks_max blocks.
struct load_block_file
{
    using answer = loaded_blocks;
    series_entry const* series{};              // must outlive the case
    std::shared_ptr<std::string const> bytes;  // of the file
    std::vector<std::string> confirmed{};      // codes of warnings
    bool dry_run{};                            // as in load_blocks

    transaction_policy policy() const noexcept { return policy_of_loads; }
    result<answer> run(pqxx::transaction_base& transaction, std::string const& actor) const;
};

}  // namespace gapless::cases
