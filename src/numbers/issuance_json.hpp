#pragma once

#include "formats/number_list.hpp"
#include "formats/series_entry.hpp"
#include "issuing/issuance.hpp"
#include "ledger/ledger_row.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace gapless {

/// Which numbers are listed one by one.
enum class listing
{
    usual = 1,  // up to listed_numbers_max numbers, none if there are more
    all,
    none,
};

/// Appends an issuance as the JSON object of the contract: its numbers are those still its own,
/// "gone" has the others, "hold" tells how a hold was settled, once any of it was. A held one has
/// the moment its hold ends, one drawn from a reserve "reserve":true.
void append_issuance(
    series_entry const& series, issuance const& value, listing numbers, std::string& json
);

/// The same, but stops before a long list of numbers, and returns that list and what follows.
/// Nullopt: the object is complete. `series` must outlive the list.
std::optional<number_list> begin_issuance(
    series_entry const& series, issuance const& value, listing numbers, std::string& json
);

/// Appends the numbers of an issuance, one per line.
void append_csv(
    series_entry const& series, issuance const& value, std::string& csv, csv_style style = {}
);

/// The same, but returns a long list instead.
std::optional<number_list> begin_csv(
    series_entry const& series, issuance const& value, std::string& csv, csv_style style = {}
);

/// Appends the id of an issuance.
void append_id(issuance const& value, std::string& text);

/// Appends [{"first":"…","last":"…"},…] with the numbers of the series.
void append_serial_ranges(
    series_entry const& series, std::span<serial_range const> ranges, std::string& json
);

}  // namespace gapless
