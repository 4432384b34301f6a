#pragma once

#include "record/pqxx_fwd.hpp"
#include "stock/forecast.hpp"

#include <cstdint>

/// Days, in the database's time zone, and the numbers used on them. Every function blocks for one
/// round trip inside the caller's transaction.
namespace gapless {

/// The most days that one call of gather_consumption examines.
constexpr std::int32_t gathered_days_max = 500;

/// Stores the use of past days, for forecasts; returns for how many days, fewer than
/// gathered_days_max if none is missing any more. At READ COMMITTED. Waits for no lock.
std::int32_t gather_consumption(pqxx::transaction_base& transaction);

/// The columns today, used_days and used_today of gapless.series_report.
consumption to_consumption(pqxx::row const& row);

}  // namespace gapless
