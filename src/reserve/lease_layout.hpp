#pragma once

#include <boost/crc.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

/// What the writer and the reader of a journal of leases share; nobody else includes it.
namespace gapless::lease_layout {

inline constexpr std::string_view magic{"gplease\n"};
inline constexpr std::uint32_t layout_version = 1;
inline constexpr std::size_t length_bytes = 4;
inline constexpr std::size_t crc_bytes = 4;
inline constexpr std::size_t frame_bytes = length_bytes + 1 + crc_bytes;

/// Kinds of records. The values are part of the file format.
enum class kind : std::uint8_t
{
    claiming = 1,
    claimed,
    intent,
    granted,
    left,
    settled,
    closed,
    returned,
    heard,
};

/// CRC-32 as in zlib.
inline std::uint32_t crc_of(std::string_view bytes) noexcept
{
    boost::crc_32_type crc;
    crc.process_bytes(bytes.data(), bytes.size());
    return crc.checksum();
}

}  // namespace gapless::lease_layout
