#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace gapless {

using sha256_digest = std::array<unsigned char, 32>;

/// SHA-256 (FIPS 180-4) of the bytes. Each thread fetches the algorithm from OpenSSL once, which
/// costs several times as much as hashing a short text. Throws std::runtime_error if it is missing.
sha256_digest sha256(std::string_view bytes);

/// The same for bytes that are not text.
template <std::size_t N>
sha256_digest sha256(std::array<unsigned char, N> const& bytes)
{
    return sha256(std::string_view{reinterpret_cast<char const*>(bytes.data()), N});
}

}  // namespace gapless
