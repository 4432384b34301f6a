#pragma once

#include "domain/format/bound_format.hpp"
#include "domain/records.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gapless {

/// Appends a series as the JSON object of the contract, with how many numbers are in each state and
/// its forecast. `format` null: the series was created just now and has no number yet.
void append_series(series_record const& series, bound_format const* format, std::string& json);

/// Appends what was used of a series: today so far, the latest days that are over, at most
/// `days_max` of them and the latest one last, and how long what is remaining lasts.
void append_use(series_use const& use, std::size_t days_max, std::string& json);

/// Appends the forecasts of these series as one object, by name, each with what is remaining. Those
/// without a forecast are left out.
void append_forecasts(std::vector<series_record> const& all, std::string& json);

}  // namespace gapless
