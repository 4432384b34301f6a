#pragma once

#include "barcode/picture.hpp"
#include "operation/page.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <limits>
#include <optional>
#include <string>

/// The queries of requests that hand-written handlers answer.
namespace gapless::queries {

struct issuance_query
{
    std::optional<bool> numbers;
};
GAPLESS_RECORD(
    issuance_query,
    (),
    (numbers,
     "List the numbers one by one: true, whatever their count; false, never. Default: up to 1,000.")
)

struct ledger_query : page
{
    std::optional<std::string> reference;
    std::optional<std::string> from;
    std::optional<std::string> to;
    std::optional<bounded<1, std::numeric_limits<std::int32_t>::max()>> block;
    std::optional<bool> last;
};
GAPLESS_RECORD(
    ledger_query,
    (page),
    (reference, "Rows of this reference."),
    (from,
     "Rows from this date or RFC 3339 moment on. Moments never run backwards within a series: who "
     "goes on reading begins where the last row of the page before was issued, not at the clock, "
     "and loses none."),
    (to, "Rows up to this date or RFC 3339 moment, included."),
    (block, "Only what was issued of this block."),
    (last, "true: each number once, as it was issued the last time.")
)

struct notice_query : page
{
    std::optional<std::string> series;
    std::optional<std::string> kind;
    std::optional<bounded<0, 30>> wait;
};
GAPLESS_RECORD(
    notice_query,
    (page),
    (series, "Of this series only."),
    (kind, "Of this kind only."),
    (wait,
     "Seconds to wait for a notice if there is none behind `after`. Ask again behind `next`, which "
     "is then never null.")
)

struct readiness_query
{
    std::optional<std::string> series;
};
GAPLESS_RECORD(readiness_query, (), (series, "Of this series only."))

struct load_query
{
    std::optional<std::string> confirm_warnings;
    std::optional<bool> dry_run;
};
GAPLESS_RECORD(
    load_query,
    (),
    (confirm_warnings, "Codes of warnings that were looked at; with commas in between."),
    (dry_run, "Check only; nothing is kept.")
)

struct invoice_query
{
    std::optional<std::string> column;
    std::optional<std::string> from;
    std::optional<std::string> to;
};
GAPLESS_RECORD(
    invoice_query,
    (),
    (column, "The column of the numbers, by its name or its place from 1."),
    (from, "Only numbers issued since have to be on the invoice: a date, UTC, or a moment."),
    (to, "And only those issued until then, the day included.")
)

struct barcode_query
{
    bounded<0, dots_per_inch_known.back(), print_size{}.dots_per_inch> dpi;
    std::optional<bounded<1, module_dots_max>> module;
    bounded<height_mm_min, height_mm_max, print_size{}.height_mm> height_mm;
    std::optional<bool> text;
};
GAPLESS_RECORD(
    barcode_query,
    (),
    (dpi, "Dots per inch of the printer: 203, 300 or 600."),
    (module, "Dots of the narrowest bar. Default: what is next to 0.375 mm."),
    (height_mm, "Height of the bars."),
    (text, "With the line people read. Default: true.")
)

}  // namespace gapless::queries
