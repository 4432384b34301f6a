#pragma once

#include "domain/number_record.hpp"
#include "domain/series_entry.hpp"

#include <string>

namespace gapless {

/// Appends a number as the JSON object of the contract; "hrt", how people read it, is added where
/// the format has one that needs nothing but the number.
void append_number_record(
    series_entry const& series, number_record const& number, std::string& json
);

/// Appends a row of the ledger.
void append_ledger_row(series_entry const& series, ledger_row const& row, std::string& json);

}  // namespace gapless
