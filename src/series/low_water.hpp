#pragma once

#include "series/series.hpp"

#include <set>
#include <string>
#include <vector>

namespace gapless {

/// True when the series has fewer numbers left than an operator wants to be warned at.
bool is_low(series::watched_series const& one) noexcept;

/// Remembers which series are low, so that each crossing is told once.
class low_water_watch
{
public:
    /// The series that were not low when it was asked last and are now, by name. One that is loaded
    /// again, or whose mark is lowered, can cross again.
    std::vector<series::watched_series const*> find_newly_low(
        std::vector<series::watched_series> const& all
    );

private:
    std::set<std::string, std::less<>> low_;
};

}  // namespace gapless
