#pragma once

#include "base/moment.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gapless {

/// The input for loading a block.
struct block_draft
{
    std::string series;
    std::int64_t first{};
    std::int64_t last{};
    std::optional<std::string> count;  // decimal, as the carrier states it
    std::optional<std::string> reference;
    std::optional<last_moment> valid_until;
    std::optional<std::int64_t> issued_until;  // serial; up to it, numbers were issued elsewhere
    std::string completed;                     // as block_ends::completed
};

}  // namespace gapless
