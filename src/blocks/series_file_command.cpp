#include "base/table_text.hpp"
#include "base/written_value.hpp"
#include "blocks/block_cases.hpp"
#include "blocks/block_store.hpp"
#include "blocks/commands.hpp"
#include "blocks/series_file.hpp"
#include "cli/command_context.hpp"
#include "cli/progress.hpp"
#include "cli/record_json.hpp"
#include "cli/whole_file.hpp"
#include "formats/block_ends.hpp"
#include "formats/find_series.hpp"
#include "record/describe.hpp"
#include "record/refused.hpp"
#include "series/operations.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::blocks {

/// The result of a file of series.
struct created_series
{
    std::int64_t series{};
    std::int64_t blocks{};
    std::int64_t proposals{};  // blocks for another person to confirm
    std::vector<std::string> proposal_ids{};
    std::vector<std::string> warnings{};  // "series.csv:17: short-validity: …"
};
GAPLESS_RECORD(
    created_series,
    (),
    (series, "Series that were created."),
    (blocks, "Blocks that were loaded."),
    (proposals, "Blocks that wait for the confirmation of somebody else."),
    (proposal_ids, "Ids of these proposals, in the order of the file.", .is_column = false),
    (warnings, "What a person should look at, by line.", .is_column = false)
)

}  // namespace gapless::blocks

namespace gapless::cli {

namespace {

/// Most warnings that are shown to a person, and most proposals.
constexpr std::size_t shown_max = 20;

/// Whether the parameter was given.
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

/// Ends the command with the database's message about a row.
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

result<block_draft> to_draft(blocks::series_row const& row, bound_format const& format)
{
    auto ends = read_block_ends(format, row.first->text, row.last->text);
    if (ends.has_error())
        return refusal{refusal_kind::out_of_range, std::move(ends.error().reason)};
    auto reference = written::read_reference(row.reference.value_or(""));
    if (reference.has_error())
        return reference.error();
    block_draft draft{
        .series = row.name,
        .first = ends->first_serial,
        .last = ends->last_serial,
        .reference = std::move(*reference),
        .valid_until = row.valid_until,
        .completed = std::move(ends->completed)};
    if (row.count)
        draft.count = value_or_throw(written::read_stated_count(row.count->digits));
    return draft;
}

/// Throws refused, like the database's own refusals.
cases::load_blocks to_load(
    pqxx::transaction_base& transaction, blocks::series_row const& row, bool confirmed
)
{
    auto const format = value_or_throw(cases::find_series{row.name}.run(transaction)).format;
    cases::load_blocks wanted{
        .series = row.name, .drafts = {value_or_throw(to_draft(row, format))}, .one_of_many = true};
    if (confirmed)
        wanted.confirmed.assign(load_warning_codes.begin(), load_warning_codes.end());
    return wanted;
}

/// A load of a file, and where it stands there.
struct placed_load
{
    line_fault at;
    cases::load_blocks load;
    std::vector<load_warning> warnings;
};

/// Creates the series of a file and loads their blocks. `at` is set to the current place: line, and
/// column of a block. Throws refused.
blocks::created_series create_all(
    command_context& context,
    pqxx::transaction_base& transaction,
    blocks::series_file const& file,
    std::string const& name,
    line_fault& at
)
{
    auto const confirmed = context.options().yes || context.options().dry_run;
    progress bar{"series", file.series.size()};
    blocks::created_series done;
    std::vector<placed_load> loads;
    auto const before = count_blocks(transaction);
    for (auto const& [line, column, row] : file.series)
    {
        at.line = line;
        at.column = 0;
        context.signals().stop_if_arrived();
        bar.show(static_cast<std::size_t>(done.series));
        gapless::series::create(transaction, row, {context.actor()}, {});
        ++done.series;
        if (!row.first)
            continue;
        at.column = column;
        auto load = to_load(transaction, row, confirmed);
        auto const loaded = value_or_throw(load.run(transaction, context.actor()));
        done.blocks += static_cast<std::int64_t>(loaded.blocks.size());
        if (loaded.proposal)
        {
            ++done.proposals;
            if (!context.options().dry_run)
                done.proposal_ids.push_back(std::to_string(loaded.proposal->id.value));
        }
        for (auto const& warning : loaded.warnings)
            done.warnings.push_back(
                to_text(line_fault{line, column, warning.code + ": " + warning.detail}, name)
            );
        if (!confirmed && !loaded.proposal)
            loads.push_back({at, std::move(load), loaded.warnings});
    }
    if (loads.empty() ||
        !loads.front().load.others_loaded(transaction, context.actor(), before + done.blocks))
        return done;
    for (auto const& each : loads)
    {
        at = each.at;
        if (auto why = each.load.look_again(transaction, each.warnings))
            throw refused{std::move(*why)};
    }
    return done;
}

/// Says which blocks somebody else has to confirm, and how. not_allowed: they were not loaded.
exit_code say_proposals(command_context const& context, blocks::created_series const& done)
{
    if (done.proposals == 0)
        return exit_code::ok;
    auto const dry_run = context.options().dry_run;
    context.say(fmt::format(
        "blocks that {} proposed, not loaded: {}; two people load the blocks of their carriers{}",
        dry_run ? "would be" : "are",
        done.proposals,
        dry_run ? "" : "; somebody else runs:"
    ));
    if (dry_run)
        return exit_code::ok;
    auto const& ids = done.proposal_ids;
    for (std::size_t n = 0; n < std::min(ids.size(), shown_max); ++n)
        context.say("  gapless proposal confirm " + ids[n]);
    if (ids.size() > shown_max)
        context.say(fmt::format(
            "  and {} more, as listed by: gapless proposal list", ids.size() - shown_max
        ));
    return exit_code::not_allowed;
}

exit_code create_file(command_context& context, std::string const& path)
{
    auto const name = path == "-" ? "(standard input)" : path;
    auto const file = read_file(path, name);
    context.confirm(fmt::format("Create {} series with {} blocks?", file.series.size(), file.blocks)
    );
    line_fault at;
    auto outcome = context.change_locked([&](pqxx::transaction_base& transaction) {
        return result<blocks::created_series>{create_all(context, transaction, file, name, at)};
    });
    if (outcome.has_error())
        explain(outcome.error(), at, name);
    for (std::size_t n = 0; n < std::min(outcome->warnings.size(), shown_max); ++n)
        context.say("warning: " + outcome->warnings[n]);
    context.print(to_json(*outcome), columns_of<blocks::created_series>);
    auto const code = say_proposals(context, *outcome);
    context.say_dry_run();
    return code;
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
