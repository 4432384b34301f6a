#pragma once

#include "base/refusal.hpp"
#include "formats/series_entry.hpp"
#include "invoices/invoice_text.hpp"
#include "ledger/period.hpp"
#include "record/pqxx_fwd.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gapless {

/// What to compare of an invoice, and with what.
struct invoice_wants
{
    std::string file;  // its name in messages
    wanted_columns columns;
    period issued;  // only numbers issued then must be on the invoice
};

/// Receives the results of the comparison.
struct invoice_listener
{
    std::function<void(invoice_columns const&)> begin;
    std::function<void(bill_finding const&)> take;
    std::function<void()> tick;             // every thousand steps: the session must not look idle
    std::function<void(std::size_t)> line;  // gets each line of the invoice, before it is examined
};

/// Compares an invoice with the ledger of a series, at the snapshot of the transaction. Refuses
/// with out_of_range for a file that cannot be read, or has no column of numbers: then the listener
/// got nothing, unless the file breaks off in the middle.
result<bill_summary> compare_invoice(
    pqxx::transaction_base& transaction,
    series_entry const& series,
    std::string_view bytes,
    invoice_wants const& wants,
    invoice_listener const& listener
);

namespace cases {

/// Largest answer as CSV.
inline constexpr std::size_t invoice_answer_bytes_max = 128 * 1'024 * 1'024;

/// Most findings one by one in JSON.
inline constexpr std::int64_t invoice_findings_max = 10'000;

/// The same as one text: JSON, or CSV with all findings. Also refuses with out_of_range if the CSV
/// would be longer than invoice_answer_bytes_max.
struct reconcile_invoice
{
    using answer = std::string;
    series_entry const* series{};              // must outlive the case
    std::shared_ptr<std::string const> bytes;  // of the file
    invoice_wants wants;
    bool csv{};
    csv_style style{};                    // of CSV
    language told_in{language::english};  // details of findings

    result<answer> run(pqxx::transaction_base& transaction) const;
};

}  // namespace cases

}  // namespace gapless
