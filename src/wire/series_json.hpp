#pragma once

#include "domain/format/bound_format.hpp"
#include "domain/records.hpp"

#include <string>

namespace gapless {

/// Appends a series as the JSON object of the contract, with how many numbers are in each state and
/// its forecast. `format` null: the series was created just now and has no number yet.
void append_series(series_record const& series, bound_format const* format, std::string& json);

}  // namespace gapless
