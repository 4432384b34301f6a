#pragma once

#include "base/csv_writer.hpp"
#include "http/exchange.hpp"
#include "record/describe.hpp"
#include "record/page.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <limits>
#include <optional>
#include <string>

namespace gapless::queries {

struct ledger_query : page
{
    std::optional<std::string> reference;
    std::optional<std::string> from;
    std::optional<std::string> to;
    std::optional<bounded<1, std::numeric_limits<std::int32_t>::max()>> block;
    std::optional<bool> last;
    std::optional<std::string> first_number;
    std::optional<std::string> last_number;
    std::optional<excel_language> excel;
};
GAPLESS_RECORD(
    ledger_query,
    (page),
    (reference, "Rows of this reference."),
    (from,
     "Rows from this date or moment on; without a zone, in the database's time zone. Moments never "
     "run backwards within a series: who "
     "goes on reading begins where the last row of the previous page was issued, not at the clock, "
     "and loses none but those that a reserve settles later (notice reserve.settled)."),
    (to, "Rows up to this date or moment, included."),
    (block, "Only what was issued of this block."),
    (last, "true: each number once, as it was issued the last time."),
    (first_number,
     "With last_number: rows of numbers between the two, cut to these. Numbers that are not whole "
     "are completed, as in a look-up."),
    (last_number, "Included."),
    (excel, "Of text/csv: for Excel in German or English, else for programs.")
)

}  // namespace gapless::queries

namespace gapless {

/// GET /v1/series/{series}/issuances — the ledger by ordinal.
///
/// Takes ledger_query. 200 {"items":[…],"next":"<ordinal>"|null}, with "completed" if the requested
/// numbers were not whole; Link leads to the next page. Between two numbers, a page may be short
/// although there is a next one.
boost::asio::awaitable<result<void>> get_ledger(exchange& current);

}  // namespace gapless
