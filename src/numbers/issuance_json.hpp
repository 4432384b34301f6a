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
    usual = 1,  // up to listed_numbers_max numbers, else none
    all,
    none,
};

/// Appends an issuance as the JSON object of the contract: its numbers are those that are still its
/// own, "gone" has the others, "hold" how a hold was settled, once any of it was. A held one has
/// the moment its hold ends, one drawn from a reserve "reserve":true.
void append_issuance(
    series_entry const& series, issuance const& value, listing numbers, std::string& json
);

/// The same, up to a long list of numbers: the list, and what comes behind it, is returned. None:
/// the object is complete. `series` outlives the list.
std::optional<number_list> begin_issuance(
    series_entry const& series, issuance const& value, listing numbers, std::string& json
);

/// Appends the numbers of an issuance, one to a line.
void append_csv(
    series_entry const& series, issuance const& value, std::string& csv, csv_style style = {}
);

/// The same, unless the list is long: then it is returned.
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
