#include "app/cli/argument.hpp"
#include "app/cli/command_line.hpp"
#include "app/cli/json.hpp"
#include "app/cli/number_commands.hpp"
#include "app/cli/row_writer.hpp"
#include "app/cli/series_formats.hpp"
#include "store/number_store.hpp"
#include "store/series_store.hpp"

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
    std::vector<serial_range> runs;
    std::int64_t count{};
};

void check_day(std::string const& day)
{
    if (day.size() != 10 || !read_valid_until(day))
        throw usage_error(fmt::format("--date: {} is not a date like 2026-11-20", to_quoted(day)));
    auto const now =
        std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    if (day > to_moment_text(now).substr(0, 10))
        throw usage_error(fmt::format("--date: {} is in the future (UTC)", day));
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
            ",\"date\":\"{}\",\"count\":\"{}\",\"numbers\":[", wants.date, closed.count
        );
    }
    else if (session.options().output == output_format::csv)
        rows.text() += "number\n";
    bool first = true;
    for (auto const& run : closed.runs)
        for (auto serial = run.first; serial <= run.last; ++serial)
        {
            rows.text() += !json ? "" : first ? "\"" : ",\"";
            rows.text() += closed.format.to_number(serial);
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
        auto settings = read_one_settings(transaction, wants.series);
        if (settings.has_error())
            return settings.error();
        auto const count = close_manifest(transaction, wants.series, wants.date, session.actor());
        auto runs = read_manifest(transaction, wants.series, wants.date);
        return manifest{std::move(settings->format), std::move(runs), count};
    };
    auto const closed = value_of(session.change(work));
    print(session, wants, closed);
    session.say(fmt::format(
        "{}{} numbers on the manifest of {} for {}",
        session.options().dry_run ? "dry run: not closed; " : "",
        closed.count,
        wants.series,
        wants.date
    ));
    return exit_code::ok;
}

void declare(CLI::App& app, manifest_options& wants)
{
    app.add_option("SERIES", wants.series, "Name of the series")->required();
    app.add_option("--date", wants.date, "Day (UTC), for example 2026-11-20")
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
