#pragma once

#include "series/series.hpp"

#include <set>
#include <string>
#include <vector>

namespace gapless {

/// True if the series has fewer numbers left than the operator's warning mark.
bool is_low(series::watched_series const& one) noexcept;

/// Remembers which series are low, so that each crossing is reported once.
class low_water_watch
{
public:
    /// The series that have become low since the last call, by name. A series that is loaded again,
    /// or whose mark is lowered, can cross again.
    std::vector<series::watched_series const*> find_newly_low(
        std::vector<series::watched_series> const& all
    );

private:
    std::set<std::string, std::less<>> low_;
};

}  // namespace gapless
