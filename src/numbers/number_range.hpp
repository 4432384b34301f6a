#pragma once

#include "base/refusal.hpp"
#include "formats/series_entry.hpp"
#include "ledger/ledger_row.hpp"
#include "record/describe.hpp"

#include <string>
#include <vector>

/// Runs of numbers, as requests name them.
namespace gapless::numbers {

/// Most ranges one request about numbers may name.
inline constexpr std::size_t event_ranges_max = 10'000;

/// A run of numbers, both ends included.
struct number_range
{
    std::string first;
    std::string last;
};
GAPLESS_RECORD(number_range, (), (first, "Its first number."), (last, "Its last number."))

/// Refuses with out_of_range: changes take whole numbers only. `completed` names them (to_text).
refusal refuse_incomplete(std::string const& completed);

/// The serials of runs of whole numbers of a series, in any spelling. Refuses with unknown_number
/// (saying why a text is not one of its numbers) and out_of_range (no range, more than
/// event_ranges_max, an end before its beginning, a number that is not whole).
result<std::vector<serial_range>> read_serial_ranges(
    series_entry const& series, std::vector<number_range> const& ranges
);

}  // namespace gapless::numbers
