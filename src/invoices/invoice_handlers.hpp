#pragma once

#include "base/csv_writer.hpp"
#include "http/exchange.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
#include <string>

namespace gapless::queries {

struct invoice_query
{
    std::optional<std::string> column;
    std::optional<std::string> amount_column;
    std::optional<std::string> from;
    std::optional<std::string> to;
    std::optional<excel_language> excel;
};
GAPLESS_RECORD(
    invoice_query,
    (),
    (column, "The column of the numbers, by its name or its place from 1."),
    (amount_column, "The column of the amounts, likewise."),
    (from,
     "Only numbers issued since have to be on the invoice: a date or a moment; without a zone, "
     "in the database's time zone."),
    (to, "And only those issued until then, the day included."),
    (excel, "Of text/csv: for Excel in German or English, else for programs.")
)

}  // namespace gapless::queries

namespace gapless {

/// POST /v1/series/{series}/reconcile?column=&amount_column=&from=&to= — compares a carrier's
/// invoice with the ledger.
///
/// Body text/csv, invoice_bytes_max at most, as written by a carrier or a spreadsheet; column: of
/// the numbers, amount_column: of the amounts, by name or index; from, to: dates or moments, only
/// numbers issued in that period must be on the invoice. 200
/// {"column","findings":[…],"summary":{…}}, at most 10,000 findings; Accept: text/csv gives all.
/// 415 for another type; 422 out-of-range for a file that cannot be read, without a column of
/// numbers, or with two that may have them; 503 overloaded while another one is compared. Changes
/// nothing; an Idempotency-Key is checked, and otherwise ignored.
boost::asio::awaitable<result<void>> post_reconciliation(exchange& current);

}  // namespace gapless
