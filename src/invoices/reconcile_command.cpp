#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/progress.hpp"
#include "cli/row_writer.hpp"
#include "cli/whole_file.hpp"
#include "formats/find_series.hpp"
#include "invoices/commands.hpp"
#include "invoices/reconcile_invoice.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace gapless::cli {

namespace {

struct reconcile_options
{
    std::string series;
    std::string file;
    std::optional<std::string> column;
    std::optional<std::string> amount_column;
    std::optional<std::string> from;
    std::optional<std::string> to;
};

constexpr std::size_t bill_bytes_max = 2'000'000'000;

/// The summary for standard error, which adds to the findings of each kind.
std::string to_text(bill_summary const& summary, invoice_columns const& columns)
{
    std::string text = fmt::format("numbers are in the column {}", to_quoted(columns.name));
    if (columns.amount)
        text += fmt::format(", amounts in {}", to_quoted(columns.amount_name));
    else if (columns.heading.fields.size() != 1)
        text += "; no column of amounts is known: name it with --amount-column";
    if (auto const read = read_amount(columns.doubtful, columns.mark))
        text += fmt::format(
            "\nno amount shows its decimal mark beyond doubt: {} is read as {}; if that is wrong, "
            "export "
            "the amounts with two decimals",
            to_quoted(columns.doubtful),
            gapless::to_text(*read)
        );
    text += fmt::format("\n{:<16}{}\n", "lines", summary.lines);
    for (std::size_t n = 0; n < bill_faults; ++n)
    {
        std::string name{text_of(static_cast<bill_fault>(n + 1))};
        std::ranges::replace(name, '-', ' ');
        text += fmt::format("{:<16}{}", name, summary.findings[n]);
        if (auto const& sum = summary.charged[n])
            text += fmt::format("  amount {}", gapless::to_text(*sum));
        text += '\n';
    }
    auto const add = [&](std::string_view name, std::int64_t count) {
        if (count != 0)
            text += fmt::format("{:<16}{}\n", name, count);
    };
    add("elsewhere", summary.elsewhere);
    add("outside period", summary.outside_period);
    add("several rows", summary.several_rows);
    add("title lines", summary.title_lines);
    add("total lines", summary.total_lines);
    add("amounts unread", summary.amounts_unread);
    add("completed", summary.completed);
    if (summary.amounts_unread != 0)
        text += fmt::format(
            "the first unread amount, in line {}: {}\n",
            summary.unread_line,
            to_quoted(summary.unread_value)
        );
    for (auto const& each : summary.differing_totals)
        text += fmt::format(
            "the total of line {} is {}, but the lines above it come to {}\n",
            each.line,
            gapless::to_text(each.stated),
            gapless::to_text(each.sum)
        );
    if (summary.all() != 0)
        return text + fmt::format("{} findings", summary.all());
    return text + (summary.lines == 0 ? "no line has a number; name their column with --column"
                                      : "the invoice agrees with the ledger");
}

invoice_wants read_wants(reconcile_options const& options)
{
    invoice_wants wants;
    wants.file = options.file == "-" ? "(standard input)" : options.file;
    wants.columns = {options.column, options.amount_column};
    auto const issued = read_period(options.from, options.to);
    if (issued.has_error())
        throw usage_error("--" + issued.error().detail);
    wants.issued = *issued;
    return wants;
}

/// A comparison under way, and its result.
struct comparison
{
    bill_summary summary;
    invoice_columns columns;
};

result<comparison> compare(
    pqxx::transaction_base& transaction,
    command_context& context,
    reconcile_options const& options,
    invoice_wants const& wants,
    std::string_view bytes
)
{
    auto const series = cases::find_series{options.series}.run(transaction);
    if (series.has_error())
        return series.error();
    comparison made;
    row_writer rows{context};
    invoice_text text{
        {.json = context.options().output == output_format::json, .csv = context.options().csv}};
    progress bar{"lines", static_cast<std::size_t>(std::ranges::count(bytes, '\n'))};
    invoice_listener const listener{
        .begin =
            [&](auto const& columns) {
                made.columns = columns;
                text.begin(rows.text(), columns);
            },
        .take =
            [&](auto const& found) {
                text.append(rows.text(), found);
                rows.row_done();
            },
        .tick = [&] { context.signals().stop_if_arrived(); },
        .line = [&](std::size_t line) { line % 4'096 == 0 ? bar.show(line) : void(); }};
    auto const summary = compare_invoice(transaction, *series, bytes, wants, listener);
    if (summary.has_error())
        return summary.error();
    made.summary = *summary;
    text.end(rows.text(), *summary);
    rows.finish();
    return made;
}

exit_code run(command_context& context, reconcile_options const& options)
{
    auto const wants = read_wants(options);
    auto const bytes = read_whole_file(options.file, bill_bytes_max);
    if (bytes.size() > bill_bytes_max)
        throw usage_error(fmt::format("{}: more than {} bytes", wants.file, bill_bytes_max));
    bool started = false;
    auto const made = value_of(context.read([&](pqxx::transaction_base& transaction) {
        if (std::exchange(started, true))
            throw command_failed{
                exit_code::failure, "the connection was lost; the list is not complete"};
        return compare(transaction, context, options, wants, bytes);
    }));
    context.say(to_text(made.summary, made.columns));
    return made.summary.all() == 0 ? exit_code::ok : exit_code::findings;
}

parameters reconcile_parameters(reconcile_options& into)
{
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series", .required = true},
        {.name = "FILE",
         .into = &into.file,
         .help = "The carrier's list as CSV; -: standard input",
         .required = true},
        {.name = "--column",
         .into = &into.column,
         .help = "Column of the numbers, by name or place from 1; else found",
         .value = "C"},
        {.name = "--amount-column",
         .into = &into.amount_column,
         .help = "Column of the amounts, likewise",
         .value = "C"},
        {.name = "--from",
         .into = &into.from,
         .help = "Only numbers issued since have to be on the invoice: a date or a moment",
         .value = "D"},
        {.name = "--to",
         .into = &into.to,
         .help = "And only those issued until then, the day included",
         .value = "D"},
    };
}

}  // namespace

noun reconcile_command()
{
    return {
        .name = "reconcile",
        .summary = "Compare a carrier's invoice with the ledger",
        .verbs = {verb_of<reconcile_options>{
            .footer = "The column of the numbers is found by its name (Sendungsnummer, Barcode, "
                      "tracking number …) or by its\nvalues, that of the amounts by its name "
                      "(Betrag, Preis, amount, netto …). Findings go to standard output,\ntheir "
                      "counts and amounts to standard error. Ends with exit code 6 when there is "
                      "a finding.",
            .takes = reconcile_parameters,
            .run = run}}};
}

}  // namespace gapless::cli
