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

/// Where an invoice has what is compared.
struct invoice_columns
{
    std::size_t number{};               // place in a row, from 0
    std::optional<std::size_t> amount;  // none: no column is called so
    std::string name;                   // of the numbers' column: its heading, or its place from 1
    std::string amount_name;
    std::size_t heading_line{};  // rows up to here hold no numbers; 0: there is no heading
    decimal_mark mark{decimal_mark::point};
};

/// Most rows that are looked at to find the columns, and to find the heading.
inline constexpr std::size_t sample_rows_max = 500;
inline constexpr std::size_t heading_rows_max = 20;

/// Finds the columns of an invoice by its first rows, sample_rows_max at most and none of them
/// empty: `wanted` is a heading or a place from 1. Without it the column of the numbers is found by
/// its name (Sendungsnummer, Barcode, tracking number …), else by its values: more than half of
/// them are numbers of the series. None: there is no such column. `usual`: the mark of amounts that
/// could be read in two ways, as 4,125.
std::optional<invoice_columns> find_columns(
    std::vector<csv_row> const& sample,
    std::optional<std::string> const& wanted,
    number_judge const& judge,
    decimal_mark usual = decimal_mark::point
);

/// What there is instead, for a message: the headings of the first row, quoted.
std::string list_headings(csv_row const& row);

}  // namespace gapless
