#include "cli/command_context.hpp"
#include "cli/metrics_file.hpp"
#include "cli/progress.hpp"
#include "proof/anchor_file.hpp"
#include "proof/commands.hpp"
#include "series/operations.hpp"

#include <fmt/format.h>

namespace gapless::cli {

namespace {

struct anchor_options
{
    std::string series;
    std::string file;
    std::string metrics_file;
};

/// The chains to publish: those of one series and of the shared records, or all.
std::vector<std::int32_t> find_chains(command_context& context, std::string const& series)
{
    return value_of(
        context.read([&](pqxx::transaction_base& transaction) -> result<std::vector<std::int32_t>> {
            auto unsealed = read_unsealed(transaction);
            if (series.empty())
                return unsealed;
            auto const known = series::find(transaction, series);
            if (known.has_error())
                return known.error();
            std::erase_if(unsealed, [&](std::int32_t id) {
                return id != 0 && id != known->series_id;
            });
            return unsealed;
        })
    );
}

void seal_all(command_context& context, std::vector<std::int32_t> const& chains)
{
    progress bar{"chains", chains.size()};
    std::size_t done = 0;
    for (auto const series_id : chains)
    {
        bar.show(done++);
        std::optional<bool> more{true};
        while (more == true)
        {
            context.signals().stop_if_arrived();
            more = value_of(context.seal([&](pqxx::transaction_base& transaction) {
                return seal_records(transaction, series_id);
            }));
        }
        if (!more)
            context.say(
                "somebody is writing to the audit log at this moment; it is anchored as far "
                "as it was sealed before"
            );
    }
}

void anchor_chains(command_context& context, anchor_options const& wants)
{
    auto const chains = find_chains(context, wants.series);
    if (!context.options().dry_run)
        seal_all(context, chains);
    auto const heads = value_of(context.read([](pqxx::transaction_base& transaction) {
        return read_seal_heads(transaction);
    }));
    std::string text;
    std::size_t anchored = 0;
    for (auto const& head : heads)
    {
        if (!wants.series.empty() && head.series != wants.series && head.series != all_series)
            continue;
        text += to_anchor(head) + '\n';
        ++anchored;
    }
    if (wants.file.empty() || wants.file == "-")
        context.print_text(text);
    else if (!context.options().dry_run)
    {
        append_durably(wants.file, text);
        context.say(fmt::format("{} chains are anchored in {}", anchored, wants.file));
    }
}

exit_code run(command_context& context, anchor_options const& wants)
{
    if (!wants.metrics_file.empty() && !wants.series.empty())
        throw usage_error("--metrics-file tells of all series; leave the series out");
    return run_measured(context, "anchor", wants.metrics_file, [&]() -> measured_run {
        anchor_chains(context, wants);
        return {};
    });
}

parameters anchor_parameters(anchor_options& into)
{
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series; default: all"},
        {.name = "--file",
         .into = &into.file,
         .help = "File to append to; default: standard output",
         .value = "FILE"},
        metrics_file_parameter(into.metrics_file),
    };
}

}  // namespace

noun anchor_command()
{
    return {
        .name = "anchor",
        .summary = "Publish the ends of the hash chains over all records",
        .verbs = {verb_of<anchor_options>{
            .footer = "Seals what is new in the hash chains, then writes their last links, one "
                      "JSON object a line. Keep\nthem where nobody who can write to the database "
                      "can change them, and compare: gapless verify --anchors.",
            .takes = anchor_parameters,
            .run = run}}};
}

}  // namespace gapless::cli
