#pragma once

#include "domain/format/bound_format.hpp"
#include "domain/records.hpp"

#include <optional>
#include <string>

namespace gapless {

/// Appends a series as the JSON object of the contract, with how many numbers are in each state and
/// a forecast from its rate. `format` null: the series was created just now and has no number yet.
void append_series(series_record const& series, bound_format const* format, std::string& json);

/// For how many whole days the remaining numbers do at the present rate; none while no rate is
/// known.
std::optional<double> to_days_left(series_record const& series);

/// The ETag of a version of a series.
std::string to_etag(series_record const& series);

}  // namespace gapless
