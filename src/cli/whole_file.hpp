#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gapless::cli {

/// The bytes of a file, or of standard input ("-"). Stops soon after `bytes_max`: a longer file has
/// more than that many bytes in the answer. Blocks. Throws command_failed (usage).
std::string read_whole_file(std::string const& name, std::size_t bytes_max);

/// Replaces the file by way of FILE.new and waits for the disk: readers see the whole old file or
/// the whole new one. Blocks. Throws command_failed (failure).
void replace_whole_file(std::filesystem::path const& file, std::string_view text);

}  // namespace gapless::cli
