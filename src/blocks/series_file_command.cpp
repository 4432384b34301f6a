#include "blocks/series_file_command.hpp"

#include "base/table_text.hpp"
#include "blocks/create_series_file.hpp"
#include "cli/command_context.hpp"
#include "cli/progress.hpp"
#include "cli/record_json.hpp"
#include "cli/whole_file.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

/// Most warnings that are shown to a person.
constexpr std::size_t shown_warnings_max = 20;

/// Whether something was said for it.
bool is_said(parameter const& each)
{
    return std::visit(
        [](auto const* into) {
            if constexpr (requires { into->empty(); })
                return !into->empty();
            else if constexpr (requires { into->has_value(); })
                return into->has_value();
            else
                return *into;
        },
        each.into
    );
}

blocks::series_file read_file(std::string const& path, std::string const& name)
{
    auto file = blocks::read_series_file(read_whole_file(path, blocks::series_file_bytes_max));
    if (file.faults.empty())
        return file;
    std::string text;
    for (auto const& fault : file.faults)
        text += to_text(fault, name) + '\n';
    throw usage_error(text + "  nothing was created");
}

/// Ends the command with what the database says of a row.
[[noreturn]] void explain(refusal why, line_fault at, std::string const& name)
{
    if (why.kind == refusal_kind::database_unavailable || why.kind == refusal_kind::outcome_unknown)
        throw to_failure(why);
    at.what = why.detail;
    why.detail = to_text(at, name) + "\n  nothing was created";
    if (why.kind == refusal_kind::confirmation_needed)
        why.detail += "; if the letter says so, --yes loads it";
    why.warnings.clear();
    throw to_failure(why);
}

exit_code create_file(command_context& context, std::string const& path)
{
    auto const name = path == "-" ? "(standard input)" : path;
    line_fault at;
    cases::create_series_file wanted{
        .name = name,
        .file = read_file(path, name),
        .confirmed = context.options().yes || context.options().dry_run,
        .at = &at,
        .tick = {}};
    auto const rows = wanted.file.series.size();
    context.confirm(fmt::format("Create {} series with {} blocks?", rows, wanted.file.blocks));
    auto outcome = context.change([&](pqxx::transaction_base& transaction) {
        progress bar{"series", rows};
        wanted.tick = [&](std::size_t done) {
            context.signals().stop_if_arrived();
            bar.show(done);
        };
        return wanted.run(transaction, context.actor());
    });
    if (outcome.has_error())
        explain(std::move(outcome.error()), at, name);
    for (std::size_t n = 0; n < std::min(outcome->warnings.size(), shown_warnings_max); ++n)
        context.say("warning: " + outcome->warnings[n]);
    context.print(to_json(*outcome), columns_of<cases::created_series>);
    context.say_dry_run();
    return exit_code::ok;
}

}  // namespace

verb with_series_file(verb create)
{
    static std::string_view const footer{"The file is CSV. Its first row names the columns: name, "
                                         "carrier, space, format, params.KEY, "
                                         "low_water,\nreuse_after, reserve_numbers, on_release, "
                                         "on_expiry; and of the first block, if "
                                         "there is one: first, last,\ncount, reference, "
                                         "valid_until. Everything is created, or nothing."};
    auto const file = std::make_shared<std::string>();
    auto const alone = create.takes;
    for (auto& each : create.takes)
        each.required = false;
    create.takes.push_back(
        {.name = "--file",
         .into = file.get(),
         .help = "All series of a CSV file, with first blocks, or none; -: standard input",
         .value = "FILE"}
    );
    create.footer = footer;
    create.run = [file, alone, run = create.run](command_context& context) {
        for (auto const& each : alone)
            if (!file->empty() && is_said(each))
                throw usage_error(fmt::format("with --file, {} stands in the file", each.name));
            else if (file->empty() && each.required && !is_said(each))
                throw usage_error(fmt::format("{} is required", each.name));
        return file->empty() ? run(context) : create_file(context, *file);
    };
    return create;
}

}  // namespace gapless::cli
