#pragma once

#include "base/refusal.hpp"
#include "formats/bound_format.hpp"

#include <cstdint>
#include <string>

namespace gapless {

/// A series, and how its numbers are written and read.
struct series_entry
{
    std::int32_t series_id{};
    std::string name;
    bound_format format;
};

/// The refusal for a series that does not exist.
refusal missing_series(std::string const& name);

}  // namespace gapless
