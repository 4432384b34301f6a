#pragma once

#include "domain/number_record.hpp"
#include "domain/series_entry.hpp"
#include "http/json_reader.hpp"

#include <string>
#include <vector>

namespace gapless {

/// The serials behind runs of numbers of a series, in any spelling. Refuses with unknown_number
/// (saying why a text is none of its numbers) and out_of_range (no range, more than
/// event_ranges_max, an end before the beginning).
result<std::vector<serial_range>> read_serial_ranges(
    series_entry const& series, range_texts const& texts
);

}  // namespace gapless
