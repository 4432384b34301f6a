#pragma once

#include "base/refusal.hpp"
#include "blocks/block_draft.hpp"
#include "formats/block_ends.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gapless::cli {

/// The options of `block load`.
struct load_options
{
    std::string series;
    std::string first;
    std::string last;
    std::string file;
    std::string count;
    std::string reference;
    std::string valid_until;
    std::string issued_until;
};

/// The blocks to load; `lines` is empty unless they come from a file.
struct load_plan
{
    std::string series;
    std::vector<block_draft> blocks;
    std::vector<std::size_t> lines;        // of the file, by block
    std::size_t column{};                  // of the first serials in the file
    std::size_t validity_column{};         // the same for valid_until
    std::vector<load_warning> warnings{};  // of the file
    std::string file;                      // its name in messages
    std::uint64_t numbers{};
    std::string read_as;  // "serials" or "numbers"; empty: makes no difference
};

/// Reads the one block on the command line, or the file it names ("-": standard input, to its end).
/// Throws command_failed (usage) with everything that is wrong, by line and column of the file.
load_plan make_plan(load_options const& wants, bound_format const& format);

/// The faults of a file, one per line and prefixed by its name, and that nothing was loaded.
std::string to_lines(refusal const& why, std::string_view file);

/// "250001 numbers, 100…200," or "250001 numbers in 7 blocks".
std::string describe(load_plan const& plan, bound_format const& format);

}  // namespace gapless::cli
