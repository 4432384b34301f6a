#pragma once

#include "domain/records.hpp"

#include <pqxx/pqxx>

namespace gapless {

/// Recomputes the proof of one series from the ledger. Takes as long as the ledger is large and
/// blocks no issue.
verification verify_series(pqxx::transaction_base& transaction, series_record const& series);

}  // namespace gapless
