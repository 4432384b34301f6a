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

/// How well a field fits the series an invoice is compared with.
enum class number_fit
{
    none = 1,
    looks,    // a number of its format
    in_block  // and in one of its blocks
};

/// Judges a field; it has no blanks.
using number_judge = std::function<number_fit(std::string_view)>;

/// The columns that somebody names: by heading, case and blanks aside, or by place from 1.
struct wanted_columns
{
    std::optional<std::string> number;  // none: it is found
    std::optional<std::string> amount;
};

/// Where an invoice has what is compared.
struct invoice_columns
{
    std::size_t number{};               // place in a row, from 0
    std::optional<std::size_t> amount;  // none: no column is called so
    std::optional<std::size_t> sign;    // of the amounts, where it has a column of its own
    std::optional<std::size_t> credit;  // amounts to take off, where the other column is empty
    std::vector<std::size_t> charges;   // what a row charges for; rows that agree in it are doubles
    bool charges_decide{};              // and they are doubles whatever their amounts are
    std::vector<std::size_t> counters;  // they number the rows
    std::string name;                   // of the numbers' column: its heading, or its place from 1
    std::string amount_name;
    csv_row heading;  // rows up to its line hold no numbers; line 0: there is none
    decimal_mark mark{decimal_mark::point};
};

/// The rows of an invoice.
struct invoice_rows
{
    std::vector<csv_row> sample;  // the first, none of them empty
    std::function<void(std::function<void(csv_row const&)> const&)> all;  // runs through all rows
};

/// Most rows that are looked at to find the columns, and to find the heading.
inline constexpr std::size_t sample_rows_max = 500;
inline constexpr std::size_t heading_rows_max = 20;

/// Finds the columns of an invoice. Without a wish the column of the numbers is one that is called
/// so (Sendungsnummer, tracking number, numéro de colis …) and has some of the series, or of whose
/// fields more than half are numbers of the series. Of several the one with more different numbers
/// of the series: the other has the shipment, it the parcels. Returns what is wrong where there is
/// no such column, or where two are equally likely. `usual`: the mark of amounts that could be read
/// in two ways, as 4,125.
std::optional<std::string> find_columns(
    invoice_rows const& rows,
    wanted_columns const& wanted,
    number_judge const& judge,
    decimal_mark usual,
    invoice_columns& found
);

/// What a row is that has no number: a total of those above it, a tax, or something else.
enum class invoice_row_kind
{
    charge = 1,
    total,
    tax,
    title,  // above the table, the heading once more, or words without an amount
    bare    // has an amount and nothing else; a total if it fits
};

invoice_row_kind kind_of(csv_row const& row, invoice_columns const& columns);

}  // namespace gapless
