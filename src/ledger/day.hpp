#pragma once

#include "formats/series_entry.hpp"
#include "record/operation.hpp"
#include "record/types.hpp"

#include <cstdint>
#include <optional>
#include <string>

/// The state of a day's numbers, asked before and after it is closed.
namespace gapless::days {

/// A day of a series.
struct day_name
{
    std::string series;
    std::string date;
};
GAPLESS_RECORD(
    day_name,
    (),
    (series, "Name of the series."),
    (date, "A day of the database's time zone, like 2026-11-20.")
)

/// Throws wrong_field if it is not a day.
void check(day_name const& wanted);

/// Counts of numbers. Those of the day were last issued on it.
struct day_counts
{
    bool over{};
    quoted<std::int64_t> issued;
    quoted<std::int64_t> unprinted;
    quoted<std::int64_t> held;
    quoted<std::int64_t> printed;
    quoted<std::int64_t> voided;
    quoted<std::int64_t> manifested;
    quoted<std::int64_t> returned;
    quoted<std::int64_t> to_report;
    std::optional<quoted<std::int64_t>> reported;
};
GAPLESS_RECORD(
    day_counts,
    (),
    (over, "Whether the day has ended."),
    (issued, "Numbers that were issued on the day. The next six say where these stand now."),
    (unprinted, "Issued, and not marked as printed."),
    (held, "Held."),
    (printed, "Printed."),
    (voided, "Voided."),
    (manifested, "Reported to the carrier."),
    (returned, "Returned."),
    (to_report,
     "What closing the day now would report: printed by its end and not reported before, those of "
     "earlier days included."),
    (reported, "Numbers on the manifest of the day. Null: it is not closed.")
)

/// Queries about days. Closing is hand-written: manifest_cases.hpp.
extern feature const administration;

}  // namespace gapless::days
