#include "invoices/invoice_text.hpp"

#include "base/json_writer.hpp"
#include "record/json.hpp"

namespace gapless {

namespace {

std::optional<std::string> to_decimal(std::optional<amount> const& shown)
{
    return shown ? std::optional{to_text(*shown)} : std::nullopt;
}

bodies::bill_summary to_shown(bill_summary const& summary, std::string const& amount_column)
{
    auto const count = [&](bill_fault fault) {
        return summary.findings[static_cast<std::size_t>(fault) - 1];
    };
    using enum bill_fault;
    bodies::bill_summary shown{
        .lines = summary.lines,
        .findings = summary.all(),
        .not_of_series = count(not_of_series),
        .outside_blocks = count(outside_blocks),
        .never_issued = count(never_issued),
        .billed_voided = count(billed_voided),
        .billed_twice = count(billed_twice),
        .never_billed = count(never_billed),
        .elsewhere = summary.elsewhere,
        .outside_period = summary.outside_period,
        .amounts_unread = summary.amounts_unread,
        .completed = summary.completed,
        .several_rows = summary.several_rows,
        .title_lines = summary.title_lines,
        .total_lines = summary.total_lines,
        .sum = to_decimal(summary.sum)};
    if (!amount_column.empty())
        shown.amount_column = amount_column;
    for (std::size_t n = 0; n < bill_faults; ++n)
        if (auto const& sum = summary.charged[n])
            shown.amounts.emplace(text_of(static_cast<bill_fault>(n + 1)), to_text(*sum));
    for (auto const& each : summary.differing_totals)
        shown.differing_totals.push_back(
            {static_cast<std::int64_t>(each.line), to_text(each.stated), to_text(each.sum)}
        );
    if (summary.amounts_unread != 0)
        shown.first_unread = {static_cast<std::int64_t>(summary.unread_line), summary.unread_value};
    return shown;
}

}  // namespace

void invoice_text::begin(std::string& out, invoice_columns const& columns)
{
    amount_column_ = columns.amount_name;
    if (!style_.json)
        return append_csv_heading(out, "finding,number,line,amount,detail", style_.csv);
    out += '{';
    append_text(out, "column", columns.name);
    out += R"(,"findings":[)";
}

void invoice_text::append(std::string& out, bill_finding const& found)
{
    if (!style_.json)
        return append_row(out, found);
    if (style_.findings_max != 0 && written_ == style_.findings_max)
        return;
    out += written_++ == 0 ? "\n" : ",\n";
    append_json(
        out,
        bodies::bill_finding{
            found.fault,
            found.number,
            found.line == 0 ? std::nullopt : std::optional{static_cast<std::int64_t>(found.line)},
            to_decimal(found.charged),
            tell(found.detail, style_.told_in).text}
    );
}

void invoice_text::append_row(std::string& out, bill_finding const& found) const
{
    auto const separator = style_.csv.separator();
    append_csv_text(out, to_csv_word(text_of(found.fault), style_.csv), style_.csv);
    out += separator;
    append_csv_text(out, found.number, style_.csv);
    out += separator;
    if (found.line != 0)
        append_decimal(out, static_cast<std::int64_t>(found.line));
    out += separator;
    if (found.charged)
        append_csv_number(out, to_text(*found.charged), style_.csv);
    out += separator;
    auto const told_in = style_.csv.excel == excel_language::de ? language::german : style_.told_in;
    append_csv_text(out, tell(found.detail, told_in).text, style_.csv);
    out += '\n';
}

void invoice_text::end(std::string& out, bill_summary const& summary) const
{
    if (!style_.json)
        return;
    append_json(out += R"(],"summary":)", to_shown(summary, amount_column_));
    out += "}\n";
}

}  // namespace gapless
