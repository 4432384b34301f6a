#pragma once

#include "domain/number_record.hpp"
#include "domain/series_entry.hpp"

#include <string>

namespace gapless {

/// Appends a row of the ledger.
void append_ledger_row(series_entry const& series, ledger_row const& row, std::string& json);

}  // namespace gapless
