#pragma once

#include <cstdint>
#include <string_view>

namespace gapless {

/// The kind of network file system for that magic of statfs(2), "nfs" for example; empty: no known
/// one. On such a file system a lock may not hold, and a flush may end in another machine's memory.
std::string_view network_file_system(std::uint32_t magic) noexcept;

/// The same for an open file; empty also if it cannot be determined.
std::string_view network_file_system_of(int handle) noexcept;

}  // namespace gapless
