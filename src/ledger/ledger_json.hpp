#pragma once

#include "formats/series_entry.hpp"
#include "ledger/ledger_row.hpp"

#include <string>

namespace gapless {

/// Appends a row of the ledger.
void append_ledger_row(series_entry const& series, ledger_row const& row, std::string& json);

}  // namespace gapless
