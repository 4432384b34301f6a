#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace gapless::cli {

/// Reads a file, or standard input ("-"). Stops soon after `bytes_max`: of a longer file it returns
/// more than that many bytes. Blocks. Throws command_failed (usage).
std::string read_whole_file(std::string const& name, std::size_t bytes_max);

/// Replaces the file by way of FILE.new and waits for the disk: readers see either the whole old
/// file or the whole new one. Blocks. Throws command_failed (failure).
void replace_whole_file(std::filesystem::path const& file, std::string_view text);

}  // namespace gapless::cli
