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
    std::optional<amount> charged;  // none: there is no amount, or it cannot be read
    std::string unread;             // the amount that cannot be read; empty: there is none
    std::uint64_t charge{};         // the same: rows of one number charge for the same
    invoice_row_kind kind{invoice_row_kind::charge};
};

/// An invoice whose columns were found.
struct invoice_file
{
    table_text table;
    invoice_columns columns;
};

/// Opens an invoice: a table as open_table takes it. `wanted` and `judge` as for find_columns. The
/// fault of one without a column of numbers names the columns that are there; numbers that a
/// spreadsheet rounded are a fault as well. The bytes outlive what is opened. Pure.
std::optional<line_fault> open_invoice(
    std::string_view bytes,
    wanted_columns const& wanted,
    number_judge const& judge,
    invoice_file& opened
);

/// Hands each line that is not empty to `take`, but for the heading, until the end or a fault.
std::optional<line_fault> read_invoice(
    invoice_file const& file, std::function<void(invoice_line)> const& take
);

}  // namespace gapless
