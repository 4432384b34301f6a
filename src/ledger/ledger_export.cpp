#include "ledger/ledger_export.hpp"

#include "blocks/operations.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/progress.hpp"
#include "cli/row_writer.hpp"
#include "formats/find_series.hpp"
#include "ledger/commands.hpp"
#include "ledger/ledger_store.hpp"
#include "ledger/ledger_text.hpp"
#include "ledger/list_numbers.hpp"
#include "ledger/period.hpp"

#include <fmt/format.h>
#include <future>

namespace gapless::cli {

namespace {

struct export_options
{
    std::string series;
    std::string part;
    std::optional<std::string> from;
    std::optional<std::string> to;
    bool last{};
};

/// The requested share of the ledger: ordinals are dealt to the parts like cards, so that a number
/// is always in the same part, however far the ledger has grown meanwhile.
struct ledger_part
{
    std::int32_t number{1};
    std::int32_t of{1};
};

constexpr std::int32_t piece_rows = 10'000;
constexpr std::int64_t parts_max = 1'000;

ledger_part read_part(std::string const& text)
{
    if (text.empty())
        return {};
    auto const slash = text.find('/');
    if (slash == std::string::npos)
        throw usage_error(fmt::format("--part: {} is not of the form 2/8", to_quoted(text)));
    auto const of = read_integer(std::string_view{text}.substr(slash + 1), 1, parts_max);
    if (of.has_error())
        throw usage_error("--part: " + of.error().detail);
    auto const number = read_integer(std::string_view{text}.substr(0, slash), 1, *of);
    if (number.has_error())
        throw usage_error("--part: " + number.error().detail);
    return {static_cast<std::int32_t>(*number), static_cast<std::int32_t>(*of)};
}

/// The number of ordinals.
std::int64_t count_ordinals(pqxx::transaction_base& transaction, std::string const& series)
{
    std::int64_t sum = 0;
    for (auto const& block : blocks::read_all(transaction, series))
        sum += block.issued;
    return sum;
}

void write_piece(row_writer& rows, ledger_text& text, ledger_piece const& piece)
{
    text.begin_piece(piece);
    for (auto const& row : piece.rows)
    {
        text.append(rows.text(), row);
        rows.row_done();
    }
}

void write_rows(
    pqxx::transaction_base& transaction,
    series_entry const& series,
    ledger_page page,
    row_writer& rows,
    ledger_text& text
)
{
    progress bar{"numbers", static_cast<std::size_t>(count_ordinals(transaction, series.name))};
    page.limit = piece_rows;
    auto const fetch = [&] { return fetch_ledger(transaction, series.series_id, page); };
    auto fetched = fetch();
    while (fetched.size() >= static_cast<std::size_t>(piece_rows))
    {
        page.after = fetched.place();
        // PostgreSQL produces the next piece while this one is parsed and written.
        auto next = std::async(std::launch::async, fetch);
        write_piece(rows, text, fetched.to_piece());
        bar.show(static_cast<std::size_t>(page.after));
        fetched = next.get();
    }
    write_piece(rows, text, fetched.to_piece());
}

exit_code run(command_context& context, export_options const& wants)
{
    ledger_page page;
    auto const part = read_part(wants.part);
    page.part = part.number;
    page.shares = part.of;
    page.last = wants.last;
    read_period_options(wants.from, wants.to, page);
    write_numbers(context, wants.series, page);
    return exit_code::ok;
}

parameters export_parameters(export_options& into)
{
    return join(
        {
            {.name = "SERIES",
             .into = &into.series,
             .help = "Name of the series",
             .required = true},
            {.name = "--part",
             .into = &into.part,
             .help = "One of N shares that make the whole together: 2/8",
             .value = "I/N"},
            last_parameter(into.last),
        },
        period_parameters(into.from, into.to)
    );
}

}  // namespace

parameter last_parameter(bool& last)
{
    return {
        .name = "--last",
        .into = &last,
        .help = "Each number once, as it was issued the last time"};
}

parameters period_parameters(std::optional<std::string>& from, std::optional<std::string>& to)
{
    return {
        {.name = "--from",
         .into = &from,
         .help = "Only numbers issued since: a date or a moment",
         .value = "D"},
        {.name = "--to",
         .into = &to,
         .help = "Only numbers issued until then, the day included",
         .value = "D"},
    };
}

void read_period_options(
    std::optional<std::string> const& from, std::optional<std::string> const& to, ledger_page& page
)
{
    auto const issued = read_period(from, to);
    if (issued.has_error())
        throw usage_error("--" + issued.error().detail);
    page.issued = *issued;
}

void write_numbers(command_context& context, std::string const& series, ledger_page const& page)
{
    bool started = false;
    auto const work = [&](pqxx::transaction_base& transaction) -> result<bool> {
        if (std::exchange(started, true))
            throw command_failed{
                exit_code::failure, "the connection was lost; the list is not complete"};
        auto const settings = cases::find_series{series}.run(transaction);
        if (settings.has_error())
            return settings.error();
        if (auto const known = check_page(transaction, *settings, page); known.has_error())
            return known.error();
        row_writer rows{context};
        ledger_text text{
            settings->format,
            {.json = context.options().output == output_format::json,
             .csv = context.options().csv,
             .part = page.part,
             .shares = page.shares}};
        text.begin(rows.text());
        write_rows(transaction, *settings, page, rows, text);
        rows.finish();
        return true;
    };
    value_of(context.read(work));
}

noun ledger_commands()
{
    return {
        .name = "ledger",
        .summary = "The record of every issued number",
        .verbs = {verb_of<export_options>{
            .name = "export",
            .summary = "Write the ledger of a series",
            .footer =
                "One record for each time a number was issued: CSV, or one JSON object a line with "
                "-o json.",
            .takes = export_parameters,
            .run = run}}};
}

}  // namespace gapless::cli
