#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/row_writer.hpp"
#include "formats/find_series.hpp"
#include "ledger/commands.hpp"
#include "ledger/manifest_cases.hpp"

#include <fmt/format.h>

namespace gapless::cli {

namespace {

struct manifest
{
    bound_format format;
    cases::manifest_record record;
};

void check_day(std::string const& day)
{
    if (!cases::is_day(day))
        throw usage_error(fmt::format("--date: {} is not a date like 2026-11-20", to_quoted(day)));
}

void print(command_context& context, days::day_name const& wants, manifest const& closed)
{
    row_writer rows{context};
    bool const as_json = context.options().output == output_format::json;
    if (as_json)
    {
        rows.text() += "{\"series\":";
        append_json_text(rows.text(), wants.series);
        rows.text() += fmt::format(
            ",\"date\":\"{}\",\"count\":{},\"numbers\":[", wants.date, closed.record.count
        );
    }
    else if (context.options().output == output_format::csv)
        append_csv_heading(rows.text(), "number", context.options().csv);
    bool first = true;
    for (auto const& run : closed.record.runs)
        for (auto serial = run.first; serial <= run.last; ++serial)
        {
            rows.text() += !as_json ? "" : first ? "\"" : ",\"";
            append_csv_number(rows.text(), closed.format.to_number(serial), context.options().csv);
            rows.text() += as_json ? "\"" : "\n";
            rows.row_done();
            first = false;
        }
    rows.text() += as_json ? "]}\n" : "";
    rows.finish();
}

exit_code run(command_context& context, days::day_name const& wants)
{
    check_day(wants.date);
    auto const work = [&](pqxx::transaction_base& transaction) -> result<manifest> {
        auto settings = cases::find_series{wants.series}.run(transaction);
        if (settings.has_error())
            return settings.error();
        auto const done = cases::close_day{wants}.run(transaction, context.actor());
        if (done.has_error())
            return done.error();
        auto record = cases::read_manifest{wants}.run(transaction);
        if (record.has_error())
            return record.error();
        return manifest{std::move(settings->format), std::move(*record)};
    };
    auto const closed = value_of(context.change(work));
    print(context, wants, closed);
    context.say(fmt::format(
        "{}{} numbers on the manifest of {} for {}",
        context.options().dry_run ? "dry run: not closed; " : "",
        closed.record.count,
        wants.series,
        wants.date
    ));
    return exit_code::ok;
}

parameters manifest_parameters(days::day_name& into)
{
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series", .required = true},
        {.name = "--date",
         .into = &into.date,
         .help = "Day in the database's time zone, for example 2026-11-20",
         .value = "D",
         .required = true},
    };
}

}  // namespace

noun manifest_command()
{
    return {
        .name = "manifest",
        .summary = "Close a day and list its numbers for the carrier",
        .verbs = {verb_of<days::day_name>{
            .footer = "Lists every number printed by the end of that day and not reported before. "
                      "The first call closes\nthe day; repeating it gives the same numbers.",
            .takes = manifest_parameters,
            .run = run}}};
}

}  // namespace gapless::cli
