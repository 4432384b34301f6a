#pragma once

#include <cstddef>
#include <string>

namespace gapless::cli {

/// The bytes of a file, or of standard input ("-"). Stops soon after `bytes_max`: a longer file has
/// more than that many bytes in the answer. Blocks. Throws command_failed (usage).
std::string read_whole_file(std::string const& name, std::size_t bytes_max);

}  // namespace gapless::cli
