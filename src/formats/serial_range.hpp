#pragma once

#include <cstdint>

namespace gapless {

/// A run of serials, both ends included.
struct serial_range
{
    std::int64_t first{};
    std::int64_t last{};

    friend bool operator==(serial_range const&, serial_range const&) = default;
};

}  // namespace gapless
