#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/number_commands.hpp"
#include "app/cli/row_writer.hpp"
#include "cases/manifests.hpp"
#include "cases/series.hpp"

#include <fmt/format.h>

namespace gapless::cli {

namespace {

struct manifest_options
{
    std::string series;
    std::string date;
};

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

void print(session& session, manifest_options const& wants, manifest const& closed)
{
    row_writer rows{session};
    bool const json = session.options().output == output_format::json;
    if (json)
    {
        rows.text() += "{\"series\":";
        append_json_text(rows.text(), wants.series);
        rows.text() += fmt::format(
            ",\"date\":\"{}\",\"count\":\"{}\",\"numbers\":[", wants.date, closed.record.count
        );
    }
    else if (session.options().output == output_format::csv)
        append_csv_heading(rows.text(), "number", session.options().csv);
    bool first = true;
    for (auto const& run : closed.record.runs)
        for (auto serial = run.first; serial <= run.last; ++serial)
        {
            rows.text() += !json ? "" : first ? "\"" : ",\"";
            append_csv_number(rows.text(), closed.format.to_number(serial), session.options().csv);
            rows.text() += json ? "\"" : "\n";
            rows.row_done();
            first = false;
        }
    rows.text() += json ? "]}\n" : "";
    rows.finish();
}

exit_code run(session& session, manifest_options const& wants)
{
    check_day(wants.date);
    auto const work = [&](pqxx::transaction_base& transaction) -> result<manifest> {
        auto settings = cases::find_series{wants.series}.run(transaction);
        if (settings.has_error())
            return settings.error();
        manifest_day const day{.series = wants.series, .day = wants.date};
        auto const done = cases::close_day{day}.run(transaction, session.actor());
        if (done.has_error())
            return done.error();
        auto record = cases::read_manifest{day}.run(transaction);
        if (record.has_error())
            return record.error();
        return manifest{std::move(settings->format), std::move(*record)};
    };
    auto const closed = value_of(session.change(work));
    print(session, wants, closed);
    session.say(fmt::format(
        "{}{} numbers on the manifest of {} for {}",
        session.options().dry_run ? "dry run: not closed; " : "",
        closed.record.count,
        wants.series,
        wants.date
    ));
    return exit_code::ok;
}

void declare(CLI::App& app, manifest_options& wants)
{
    app.add_option("SERIES", wants.series, "Name of the series")->required();
    app.add_option("--date", wants.date, "Day in the database's time zone, for example 2026-11-20")
        ->required()
        ->type_name("D");
    app.footer("Lists every number printed by the end of that day and not reported before. The "
               "first call closes\nthe day; repeating it gives the same numbers.");
}

}  // namespace

void add_manifest_command(command_line& line)
{
    auto& noun = line.add_noun("manifest", "Close a day and list its numbers for the carrier");
    line.add_verb<manifest_options>(noun, "", "", declare, run);
}

}  // namespace gapless::cli
