#pragma once

#include "base/table_text.hpp"
#include "invoices/amount.hpp"
#include "invoices/invoice_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// A line of a carrier's invoice.
struct invoice_line
{
    std::size_t line{};             // of the file, from 1
    std::string number;             // without blanks; may be empty
    std::optional<amount> charged;  // none: no amount, or an unreadable one
    std::string unread;             // the unreadable amount; empty: none
    std::uint64_t charge{};         // equal for rows of one number that charge for the same thing
    invoice_row_kind kind{invoice_row_kind::charge};
};

/// An invoice with its columns.
struct invoice_file
{
    table_text table;
    invoice_columns columns;
    number_judge judge;
};

/// Opens an invoice: a table in a format of open_table. `wanted` and `judge` as for find_columns.
/// Without a column of numbers, the fault names the existing columns; numbers that a spreadsheet
/// has rounded are a fault as well, and so are amounts that a comma cuts in two. The bytes, and
/// what `judge` refers to, must outlive what is opened. Pure.
std::optional<line_fault> open_invoice(
    std::string_view bytes,
    wanted_columns const& wanted,
    number_judge const& judge,
    invoice_file& opened
);

/// Passes each non-empty line except the heading to `take`, until the end or a fault.
std::optional<line_fault> read_invoice(
    invoice_file const& file, std::function<void(invoice_line)> const& take
);

}  // namespace gapless
