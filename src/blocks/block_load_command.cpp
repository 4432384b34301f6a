#include "base/text.hpp"
#include "blocks/block_cases.hpp"
#include "blocks/block_file.hpp"
#include "blocks/block_load.hpp"
#include "blocks/block_load_plan.hpp"
#include "blocks/block_store.hpp"
#include "cli/command_context.hpp"
#include "cli/progress.hpp"
#include "cli/record_json.hpp"
#include "formats/find_series.hpp"
#include "series/operations.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

/// The most blocks that are listed to a person after loading a file.
constexpr std::size_t listed_blocks_max = 20;

/// The result of a load.
struct load_outcome
{
    std::vector<blocks::block> blocks;
    std::string remaining;
    std::optional<proposals::proposal> proposal;  // if set, nothing was loaded yet
    bool two_people{};                            // a dry run: they would be proposed
};

void show(command_context& context, std::vector<load_warning> const& warnings)
{
    for (auto const& warning : warnings)
        context.say(fmt::format("warning: {}: {}", warning.code, warning.detail));
}

/// Shows the warnings to a person; returns the codes of those shown, or confirmed in advance.
std::vector<std::string> show_warnings(command_context& context, load_plan const& plan)
{
    if (!context.asks() && !context.options().yes && !context.options().dry_run)
        return {};
    auto warnings = value_of(context.read([&](pqxx::transaction_base& transaction) {
        return read_block_warnings(transaction, plan.series, plan.blocks);
    }));
    warnings.insert(warnings.begin(), plan.warnings.begin(), plan.warnings.end());
    show(context, warnings);
    std::vector<std::string> codes;
    codes.reserve(warnings.size());
    for (auto const& warning : warnings)
        codes.push_back(warning.code);
    return codes;
}

void confirm_load(
    command_context& context, load_plan const& plan, bound_format const& format, exit_code otherwise
)
{
    if (!context.asks())
        return;
    auto const series = value_of(context.read([&](pqxx::transaction_base& transaction) {
        return series::find(transaction, plan.series);
    }));
    // All blocks of a number space together hold at most 2^63 numbers, so the sum fits.
    auto remaining = read_decimal<std::uint64_t>(series.remaining).value_or(0) + plan.numbers;
    for (auto const& block : plan.blocks)
        if (block.issued_until)
            remaining -= static_cast<std::uint64_t>(*block.issued_until - block.first) + 1;
    context.confirm(
        fmt::format(
            "Load {} into {}? It has {} numbers remaining and will have {}.",
            describe(plan, format),
            plan.series,
            series.remaining,
            remaining
        ),
        otherwise
    );
}

/// Ends the command if the refusal says more than its detail: lines of a file, or warnings that
/// were not confirmed.
void explain(command_context& context, load_plan const& plan, refusal const& why)
{
    show(context, why.warnings);
    if (!why.faults.empty())
        throw to_failure({why.kind, to_lines(why, plan.file)});
    if (why.kind == refusal_kind::confirmation_needed)
        throw to_failure(
            {why.kind,
             "nothing was loaded, because of the warnings above; if the letter says so, --yes "
             "loads it"}
        );
}

load_outcome load_blocks(
    command_context& context, load_plan const& plan, std::vector<std::string> const& confirmed
)
{
    auto const work = [&](pqxx::transaction_base& transaction) -> result<load_outcome> {
        progress bar{"blocks", plan.blocks.size()};
        cases::load_blocks const wanted{
            .series = plan.series,
            .drafts = plan.blocks,
            .lines = plan.lines,
            .column = plan.column,
            .validity_column = plan.validity_column,
            .warnings = plan.warnings,
            .confirmed = confirmed,
            .dry_run = context.options().dry_run,
            .tick = [&](std::size_t done) {
                context.signals().stop_if_arrived();
                bar.show(done);
            }};
        auto done = wanted.run(transaction, context.actor());
        if (done.has_error())
            return done.error();
        auto remaining = series::find(transaction, plan.series).value().remaining;
        if (wanted.dry_run)
        {
            auto sum = read_decimal<std::uint64_t>(remaining).value_or(0);
            for (auto const& block : done->blocks)
                sum += static_cast<std::uint64_t>(block.remaining.value);
            remaining = std::to_string(sum);
        }
        return load_outcome{
            std::move(done->blocks),
            std::move(remaining),
            std::move(done->proposal),
            done->two_people};
    };
    auto outcome = context.change_locked(work);
    if (outcome.has_error())
        explain(context, plan, outcome.error());
    return value_of(std::move(outcome));
}

void print(
    command_context const& context,
    load_plan const& plan,
    bound_format const& format,
    load_outcome const& loaded
)
{
    auto const rows = to_rows(loaded.blocks);
    if (plan.lines.empty())
        context.print(rows.front(), columns_of<blocks::block>);
    else if (context.options().output != output_format::table || rows.size() <= listed_blocks_max)
        context.print_list(rows, columns_of<blocks::block>);
    if (loaded.two_people)
        return context.say(fmt::format(
            "dry run: would propose {} for {}, which somebody else then confirms; nothing was "
            "changed",
            describe(plan, format),
            plan.series
        ));
    context.say(fmt::format(
        "{} {} into {}{}; {} remain in it{}",
        context.options().dry_run ? "dry run: would load" : "loaded",
        describe(plan, format),
        plan.series,
        plan.read_as.empty() ? "" : ", ends read as " + plan.read_as,
        loaded.remaining,
        context.options().dry_run ? " then; nothing was changed" : ""
    ));
}

/// Prints blocks that another person has to confirm, and says so. Always returns not_allowed:
/// nothing was loaded.
exit_code print_proposal(command_context const& context, proposals::proposal const& proposal)
{
    context.print(to_json(proposal), proposals::shown_columns);
    context.say(fmt::format(
        "proposed, not loaded: two people load the blocks of this carrier; somebody else runs: "
        "gapless proposal confirm {}",
        proposal.id.value
    ));
    return exit_code::not_allowed;
}

exit_code load(command_context& context, load_options const& wants)
{
    auto const format = context.ask(cases::find_series{wants.series}).format;
    auto const plan = make_plan(wants, format);
    auto const seen = show_warnings(context, plan);
    confirm_load(context, plan, format, seen.empty() ? exit_code::failure : exit_code::conflict);
    auto const loaded = load_blocks(context, plan, seen);
    if (loaded.proposal)
        return print_proposal(context, *loaded.proposal);
    print(context, plan, format, loaded);
    return exit_code::ok;
}

parameters load_parameters(load_options& into)
{
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series", .required = true},
        {.name = "FIRST", .into = &into.first, .help = "First number of the block, or its serial"},
        {.name = "LAST",
         .into = &into.last,
         .help = "Last number of the block, included, or its serial"},
        {.name = "--file",
         .into = &into.file,
         .help = "Load every block of a CSV file, or none; -: standard input",
         .value = "FILE"},
        {.name = "--count",
         .into = &into.count,
         .help = "How many numbers the carrier says it holds; has to agree",
         .value = "N"},
        {.name = "--reference",
         .into = &into.reference,
         .help = "The carrier's letter, order or contract",
         .value = "TEXT"},
        {.name = "--issued-until",
         .into = &into.issued_until,
         .help = "Last number that another system issued; it goes on behind it",
         .value = "N"},
        {.name = "--valid-until",
         .into = &into.valid_until,
         .help = "Date (through its end) or moment, in the database's time zone",
         .value = "D"},
    };
}

}  // namespace

verb block_load()
{
    static auto const footer = fmt::format(
        "The file is CSV as Excel and others write it. A row without numbers names its columns: "
        "first,last,\n"
        "count,reference,valid_until, in English, German, French, Dutch, Italian or Spanish; first "
        "and last are\n"
        "required. A letter with the numbers is read as well. It may hold {} blocks.",
        block_file_rows_max
    );
    return verb_of<load_options>{
        .name = "load",
        .summary = "Put blocks at the end of a series' queue",
        .footer = footer,
        .takes = load_parameters,
        .run = load};
}

}  // namespace gapless::cli
