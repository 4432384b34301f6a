#pragma once

#include "base/csv_reader.hpp"
#include "invoices/amount.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gapless {

/// How well a field fits the series that the invoice is compared with.
enum class number_fit
{
    none = 1,
    looks,    // a number of its format
    in_block  // and in one of its blocks
};

/// Judges a field, from which blanks were removed.
using number_judge = std::function<number_fit(std::string_view)>;

/// The columns chosen by the user: by heading, ignoring case and blanks, or by index from 1.
struct wanted_columns
{
    std::optional<std::string> number;  // none: to be found
    std::optional<std::string> amount;
};

/// The columns of an invoice that matter for the comparison.
struct invoice_columns
{
    std::size_t number{};               // index in a row, from 0
    std::optional<std::size_t> amount;  // none: no column has such a name
    std::optional<std::size_t> sign;    // of the amounts, if in a column of its own
    std::optional<std::size_t> credit;  // amounts to subtract
    std::vector<std::size_t> charges;   // what a row charges for; rows equal in it are duplicates
    bool charges_decide{};              // and duplicates whatever their amounts
    std::vector<std::size_t> counters;  // row numbers
    std::string name;                   // of the numbers' column: its heading, or its index from 1
    std::string amount_name;
    csv_row heading;  // rows up to its line have no numbers; line 0: no heading
    decimal_mark mark{decimal_mark::point};
    std::string doubtful;  // an amount that `mark` alone decides, and no other tells; empty: none
};

/// The rows of an invoice.
struct invoice_rows
{
    std::vector<csv_row> sample;  // the first ones, none of them empty
    std::function<void(std::function<void(csv_row const&)> const&)> all;  // iterates over all rows
};

/// Most rows examined to find the columns, and to find the heading.
inline constexpr std::size_t sample_rows_max = 500;
inline constexpr std::size_t heading_rows_max = 20;

/// Finds the columns of an invoice. Unless chosen, the column of the numbers is one with a known
/// name (Sendungsnummer, tracking number, numéro de colis …) and some numbers of the series, or one
/// in which more than half of the fields are numbers of the series. Of several, the one with more
/// distinct numbers of the series: the other has the shipments, it the parcels. Returns what is
/// wrong if there is no such column, or two are equally likely. `usual`: the mark of ambiguous
/// amounts, such as 4,125.
std::optional<std::string> find_columns(
    invoice_rows const& rows,
    wanted_columns const& wanted,
    number_judge const& judge,
    decimal_mark usual,
    invoice_columns& found
);

/// The kind of a row: a charge, if it has a number of the series, else maybe a total of those above
/// it, a tax, or something else.
enum class invoice_row_kind
{
    charge = 1,
    total,
    tax,
    title,  // above the table, the heading repeated, or words without an amount
    bare    // only an amount, or a doubtful word with one; a total if it fits
};

invoice_row_kind kind_of(
    csv_row const& row, invoice_columns const& columns, number_judge const& judge
);

}  // namespace gapless
