#pragma once

#include <cstdint>
#include <string_view>

namespace gapless {

/// The kind of network file system behind that magic of statfs(2), "nfs" for example; empty: it is
/// none that is known. There a lock may be nobody's, and a flush may be in another machine's
/// memory.
std::string_view network_file_system(std::uint32_t magic) noexcept;

/// The same of an open file; empty also when it cannot be asked.
std::string_view network_file_system_of(int handle) noexcept;

}  // namespace gapless
