#pragma once

#include "record/pqxx_fwd.hpp"
#include "stock/forecast.hpp"

#include <cstdint>

/// Days, in the database's time zone, and what was used on them. Every function runs inside the
/// caller's transaction and blocks for one round trip.
namespace gapless {

/// How many days one call of gather_consumption looks at, at most.
constexpr std::int32_t gathered_days_max = 500;

/// Stores what was used on days that are over, for forecasts; returns how many days, less than
/// gathered_days_max when none is missing. At READ COMMITTED. Waits for nobody.
std::int32_t gather_consumption(pqxx::transaction_base& transaction);

/// The columns today, used_days and used_today of gapless.series_report.
consumption to_consumption(pqxx::row const& row);

}  // namespace gapless
