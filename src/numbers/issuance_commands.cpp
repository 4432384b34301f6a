#include "cli/command_context.hpp"
#include "cli/params.hpp"
#include "cli/row_writer.hpp"
#include "formats/find_series.hpp"
#include "ledger/ledger_export.hpp"
#include "ledger/ledger_json.hpp"
#include "ledger/list_numbers.hpp"
#include "numbers/commands.hpp"
#include "numbers/number_cases.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <utility>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct issuance_options
{
    std::string series;
    std::optional<std::string> reference;
    std::string block;
    std::optional<std::string> from;
    std::optional<std::string> to;
    bool last{};
};

constexpr std::array issuance_columns{
    column{.key = "issuance", .number = true},
    column{.key = "first", .number = true},
    column{.key = "last", .number = true},
    column{.key = "count", .number = true},
    column{.key = "block", .number = true},
    column{.key = "ordinal", .number = true},
    column{.key = "issued_at"},
    column{.key = "reference"},
};

constexpr std::int32_t page_rows = 1'000;

ledger_page read_page(issuance_options const& wants)
{
    ledger_page page;
    page.limit = page_rows;
    page.reference = wants.reference;
    page.last = wants.last;
    read_period_options(wants.from, wants.to, page);
    if (!wants.block.empty())
        page.block_id = read_id("--block", wants.block, "block");
    return page;
}

/// A table, printed page by page: each page has its own column widths.
class issuance_table
{
public:
    explicit issuance_table(command_context& context) : context_{context} {}

    void write(series_entry const& series, std::vector<ledger_row> const& rows)
    {
        if (rows.empty() && headed_)
            return;
        if (!read_)
            throw list_unread();
        auto page = json::array();
        for (auto const& row : rows)
        {
            std::string text;
            append_ledger_row(series, row, text);
            page.push_back(json::parse(text));
        }
        read_ = context_.print_page(page, issuance_columns, !std::exchange(headed_, true));
    }

    void finish() {}

private:
    command_context& context_;
    bool headed_{};
    bool read_{true};
};

/// A single array, however many pages it takes.
class issuance_array
{
public:
    explicit issuance_array(command_context& context) : rows_{context} { rows_.text() += '['; }

    void write(series_entry const& series, std::vector<ledger_row> const& rows)
    {
        for (auto const& row : rows)
        {
            rows_.text() += std::exchange(begun_, true) ? ",\n" : "\n";
            append_ledger_row(series, row, rows_.text());
            rows_.row_done();
        }
    }

    void finish()
    {
        rows_.text() += begun_ ? "\n]\n" : "]\n";
        rows_.finish();
    }

private:
    row_writer rows_;
    bool begun_{};
};

template <class Writer>
void write_pages(command_context& context, issuance_options const& wants, ledger_page page)
{
    bool started = false;
    auto const work = [&](pqxx::transaction_base& transaction) -> result<bool> {
        if (std::exchange(started, true))
            throw command_failed{
                exit_code::failure, "the connection was lost; the list is not complete"};
        auto const series = cases::find_series{wants.series}.run(transaction);
        if (series.has_error())
            return series.error();
        Writer writer{context};
        for (std::optional<std::int64_t> after{0}; after;)
        {
            context.signals().stop_if_arrived();
            page.after = *after;
            auto const piece = cases::read_ledger{&*series, page}.run(transaction);
            if (piece.has_error())
                return piece.error();
            writer.write(*series, piece->rows);
            after = piece->next;
        }
        writer.finish();
        return true;
    };
    value_of(context.read(work));
}

exit_code list(command_context& context, issuance_options const& wants)
{
    auto const page = read_page(wants);
    switch (context.options().output)
    {
    case output_format::table: write_pages<issuance_table>(context, wants, page); break;
    case output_format::json: write_pages<issuance_array>(context, wants, page); break;
    case output_format::csv: write_numbers(context, wants.series, page); break;
    }
    return exit_code::ok;
}

parameters list_parameters(issuance_options& into)
{
    return join(
        {
            {.name = "SERIES",
             .into = &into.series,
             .help = "Name of the series",
             .required = true},
            {.name = "--reference",
             .into = &into.reference,
             .help = "Only what was issued for this reference",
             .value = "TEXT"},
            {.name = "--block",
             .into = &into.block,
             .help = "Only numbers of this block, for a recall",
             .value = "ID"},
            last_parameter(into.last),
        },
        period_parameters(into.from, into.to)
    );
}

}  // namespace

noun issuance_commands()
{
    return {
        .name = "issuance",
        .summary = "What was issued, for what and when",
        .verbs = {verb_of<issuance_options>{
            .name = "list",
            .summary = "List what was issued, also of one reference or block",
            .footer = "One row for each time a range was issued, by ordinal; with -o csv one for "
                      "each number, with the\nreference and moment of that time and its state: "
                      "released or expired if it was issued again since.\n'gapless ledger export' "
                      "is the same list of a whole series.",
            .takes = list_parameters,
            .run = list}}};
}

}  // namespace gapless::cli
