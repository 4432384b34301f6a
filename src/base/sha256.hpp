#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace gapless {

using sha256_digest = std::array<unsigned char, 32>;

/// SHA-256 (FIPS 180-4) of the bytes. Each thread asks OpenSSL for the algorithm once, since asking
/// costs several times what a short text does. Throws std::runtime_error when OpenSSL has none.
sha256_digest sha256(std::string_view bytes);

/// The same for bytes that are not text.
template <std::size_t N>
sha256_digest sha256(std::array<unsigned char, N> const& bytes)
{
    return sha256(std::string_view{reinterpret_cast<char const*>(bytes.data()), N});
}

}  // namespace gapless
