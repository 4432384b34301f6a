#include "invoices/reconcile_invoice.hpp"

#include "invoices/invoice_store.hpp"
#include "ledger/ledger_store.hpp"

#include <fmt/format.h>

namespace gapless {

namespace {

constexpr std::uint64_t judged_between_ticks = 1'024;

refusal unreadable(line_fault const& fault, std::string const& file)
{
    return {refusal_kind::out_of_range, to_text(fault, file)};
}

billed_series read_billed_series(
    pqxx::transaction_base& transaction, series_entry const& series, invoice_wants const& wants
)
{
    return {
        read_billed_blocks(transaction, series.name),
        read_states(transaction, series.series_id),
        read_issued_between(transaction, series.series_id, wants.issued)};
}

}  // namespace

result<bill_summary> compare_invoice(
    pqxx::transaction_base& transaction,
    series_entry const& series,
    std::string_view bytes,
    invoice_wants const& wants,
    invoice_listener const& listener
)
{
    if (auto const checked = check_period(transaction, wants.issued); checked.has_error())
        return checked.error();
    billed_ledger const ledger{series.format, read_billed_series(transaction, series, wants)};
    std::uint64_t judged = 0;
    auto const judge = [&](std::string_view field) {
        if (++judged % judged_between_ticks == 0)
            listener.tick();
        return ledger.judge(field);
    };
    invoice_file file;
    if (auto const fault = open_invoice(bytes, wants.columns, judge, file))
        return unreadable(*fault, wants.file);
    listener.begin(file.columns);
    reconciliation found{
        ledger,
        {.take = listener.take,
         .find_replacements =
             [&](auto ordinals) {
                 return read_replacements(transaction, series.series_id, ordinals);
             },
         .tick = listener.tick}};
    auto const take = [&](invoice_line line) {
        listener.line(line.line);
        found.take_line(std::move(line));
    };
    if (auto const fault = read_invoice(file, take))
        return unreadable(*fault, wants.file);
    found.finish();
    return found.summary();
}

namespace cases {

result<std::string> reconcile_invoice::run(pqxx::transaction_base& transaction) const
{
    std::string text;
    bool too_long = false;
    invoice_text writer{
        {.json = !csv, .csv = style, .told_in = told_in, .findings_max = invoice_findings_max}};
    invoice_listener const listener{
        .begin = [&](auto const& columns) { writer.begin(text, columns); },
        .take =
            [&](auto const& each) {
                too_long = too_long || text.size() > invoice_answer_bytes_max;
                if (!too_long)
                    writer.append(text, each);
            },
        .tick = [&] { check_connection(transaction); },
        .line = [](auto) {}};
    auto const summary = compare_invoice(transaction, *series, *bytes, wants, listener);
    if (summary.has_error())
        return summary.error();
    if (too_long)
        return refusal{
            refusal_kind::out_of_range,
            fmt::format(
                "The invoice has {} findings, more than one answer holds; say with from and to "
                "when "
                "its numbers were issued, or use 'gapless reconcile'.",
                summary->all()
            )};
    writer.end(text, *summary);
    return text;
}

}  // namespace cases

}  // namespace gapless
