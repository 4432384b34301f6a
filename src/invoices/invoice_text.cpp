#include "invoices/invoice_text.hpp"

#include "base/json_writer.hpp"

#include <algorithm>

namespace gapless {

namespace {

/// "billed-twice" as a member of the summary.
std::string to_member(bill_fault fault)
{
    std::string name{name_of(fault)};
    std::ranges::replace(name, '-', '_');
    return name;
}

void append_amount(std::string& json, std::string_view name, std::optional<amount> const& shown)
{
    append_optional(json, name, shown ? std::optional{to_text(*shown)} : std::nullopt);
}

void append_line(std::string& json, std::size_t line)
{
    append_name(json, "line");
    append_decimal(json, static_cast<std::int64_t>(line));
}

/// Appends what was read and what was not, besides the lines with numbers.
void append_rest(std::string& json, bill_summary const& summary)
{
    append_count(json, "several_rows", summary.several_rows);
    append_count(json, "title_lines", summary.title_lines);
    append_count(json, "total_lines", summary.total_lines);
    append_amount(json, "sum", summary.sum);
    append_name(json, "differing_totals") += '[';
    for (auto const& each : summary.differing_totals)
    {
        json += &each == &summary.differing_totals.front() ? "{" : ",{";
        append_line(json, each.line);
        append_amount(json, "amount", each.stated);
        append_amount(json, "sum", each.sum);
        json += '}';
    }
    json += ']';
    append_name(json, "first_unread");
    if (summary.amounts_unread == 0)
    {
        json += "null";
        return;
    }
    json += '{';
    append_line(json, summary.unread_line);
    append_text(json, "value", summary.unread_value);
    json += '}';
}

void append_amounts(std::string& json, bill_summary const& summary)
{
    append_name(json, "amounts") += '{';
    for (std::size_t n = 0; n < bill_faults; ++n)
        if (auto const& sum = summary.charged[n])
            append_text(json, name_of(static_cast<bill_fault>(n + 1)), to_text(*sum));
    json += '}';
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
    append_object(out, found);
}

void invoice_text::append_row(std::string& out, bill_finding const& found) const
{
    auto const separator = style_.csv.separator();
    append_csv_text(out, to_csv_word(name_of(found.fault), style_.csv), style_.csv);
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

void invoice_text::append_object(std::string& out, bill_finding const& found) const
{
    out += '{';
    append_text(out, "finding", name_of(found.fault));
    append_text(out, "number", found.number);
    append_name(out, "line");
    if (found.line != 0)
        append_decimal(out, static_cast<std::int64_t>(found.line));
    else
        out += "null";
    append_amount(out, "amount", found.charged);
    append_text(out, "detail", tell(found.detail, style_.told_in).text);
    out += '}';
}

void invoice_text::end(std::string& out, bill_summary const& summary) const
{
    if (!style_.json)
        return;
    out += R"(],"summary":{)";
    append_count(out, "lines", summary.lines);
    append_count(out, "findings", summary.all());
    for (std::size_t n = 0; n < bill_faults; ++n)
        append_count(out, to_member(static_cast<bill_fault>(n + 1)), summary.findings[n]);
    append_count(out, "elsewhere", summary.elsewhere);
    append_count(out, "outside_period", summary.outside_period);
    append_count(out, "amounts_unread", summary.amounts_unread);
    append_count(out, "completed", summary.completed);
    append_optional(
        out, "amount_column", amount_column_.empty() ? std::nullopt : std::optional{amount_column_}
    );
    append_amounts(out, summary);
    append_rest(out, summary);
    out += "}}\n";
}

}  // namespace gapless
