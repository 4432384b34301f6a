#pragma once

#include "base/csv_writer.hpp"
#include "base/messages.hpp"
#include "invoices/reconciliation.hpp"
#include "record/describe.hpp"
#include "record/types.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gapless::bodies {

struct bill_finding
{
    bill_fault finding{};
    std::string number;
    std::optional<std::int64_t> line;
    std::optional<std::string> amount;
    std::string detail;
};
GAPLESS_RECORD(
    bill_finding,
    (),
    (finding, "What does not agree."),
    (number, "As the series prints it; of not-of-series as the invoice has it."),
    (line, "Of the invoice, the first one; null: in none."),
    (amount, "Of the rows of that number, decimal; null: none was read."),
    (detail, "The same in words.")
)

struct stated_total
{
    std::int64_t line{};
    std::optional<std::string> amount;
    std::optional<std::string> sum;
};
GAPLESS_RECORD(
    stated_total,
    (),
    (line, "Of the invoice."),
    (amount, "What the invoice says."),
    (sum, "Of the lines above it.")
)

struct unread_amount
{
    std::int64_t line{};
    std::string value;
};
GAPLESS_RECORD(unread_amount, (), (line, "Of the invoice."), (value, "What is written there."))

struct bill_summary
{
    quoted<std::int64_t> lines;
    quoted<std::int64_t> findings;
    quoted<std::int64_t> not_of_series;
    quoted<std::int64_t> outside_blocks;
    quoted<std::int64_t> never_issued;
    quoted<std::int64_t> billed_voided;
    quoted<std::int64_t> billed_twice;
    quoted<std::int64_t> never_billed;
    quoted<std::int64_t> elsewhere;
    quoted<std::int64_t> outside_period;
    quoted<std::int64_t> amounts_unread;
    quoted<std::int64_t> completed;
    std::optional<std::string> amount_column;
    texts_by_name amounts;
    quoted<std::int64_t> several_rows;
    quoted<std::int64_t> title_lines;
    quoted<std::int64_t> total_lines;
    std::optional<std::string> sum;
    std::vector<stated_total> differing_totals;
    std::optional<unread_amount> first_unread;
};
GAPLESS_RECORD(
    bill_summary,
    (),
    (lines, "With numbers: all but titles and totals."),
    (findings, "Of all kinds."),
    (not_of_series, "Billed, but no number of this series."),
    (outside_blocks, "Billed, but in no loaded block of the series."),
    (never_issued, "Billed, but free or held."),
    (billed_voided, "Billed, but voided."),
    (billed_twice, "Billed in more than one line."),
    (never_billed, "Printed or on a manifest, but in no line."),
    (elsewhere, "Numbers that another system issued before they were loaded."),
    (outside_period, "Numbers issued outside of the period."),
    (amounts_unread, "Lines whose amount cannot be read."),
    (completed, "Numbers without check digit, or without zeros in front."),
    (amount_column, "The column of the amounts; null: none was found."),
    (amounts, "The sum of the amounts of each kind of finding, decimal."),
    (several_rows, "Numbers with more than one line."),
    (title_lines, "Above the table, and headings that are repeated."),
    (total_lines, "Totals and taxes."),
    (sum, "Of all lines but those with totals and taxes; null: no amount was read."),
    (differing_totals, "At most 20 totals that are not what the lines above come to."),
    (first_unread, "The first amount that cannot be read.")
)

struct reconciliation
{
    std::string column;
    std::vector<bill_finding> findings;
    bill_summary summary;
};
GAPLESS_RECORD(
    reconciliation,
    (),
    (column, "The column of the numbers: its name, or its place from 1."),
    (findings,
     "At most 10,000; the summary counts all. One for all rows of a number, but for billed-twice."),
    (summary, "Of all lines and findings.")
)

}  // namespace gapless::bodies

namespace gapless {

/// The format of findings.
struct invoice_style
{
    bool json{};
    csv_style csv{};                      // if it is not JSON
    language told_in{language::english};  // details
    std::int64_t findings_max{};          // written in JSON, while all are counted; 0: no limit
};

/// Findings as text, piece by piece: bodies::reconciliation as JSON, or CSV for the carrier, which
/// has nothing about customers: finding,number,line,amount,detail.
class invoice_text
{
public:
    explicit invoice_text(invoice_style style) : style_{style} {}

    void begin(std::string& out, invoice_columns const& columns);
    void append(std::string& out, bill_finding const& found);
    void end(std::string& out, bill_summary const& summary) const;

private:
    void append_row(std::string& out, bill_finding const& found) const;

    invoice_style style_;
    std::string amount_column_;
    std::int64_t written_{};
};

}  // namespace gapless
