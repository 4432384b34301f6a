#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "epochs/commands.hpp"
#include "epochs/epoch_moving.hpp"
#include "epochs/epoch_opening.hpp"
#include "epochs/epoch_store.hpp"
#include "epochs/move_proof.hpp"
#include "postgres/epoch_record.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>
#include <set>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

constexpr std::array epoch_columns{
    column{.key = "epoch"},
    column{.key = "opened_at"},
    column{.key = "opened_by"},
    column{.key = "reason"},
    column{.key = "fenced"},
    column{.key = "why"},
    column{.key = "system_identifier"},
    column{.key = "timeline"},
    column{.key = "database_id"},
};

constexpr std::array standing_columns{
    column{.key = "series"},
    column{.key = "ordinal", .number = true},
    column{.key = "noted", .number = true},
    column{.key = "missing", .number = true},
};

exit_code show(command_context& context, epoch_options const& wants)
{
    auto const look = [&] {
        return value_of(context.read([](pqxx::transaction_base& transaction) {
            return read_epoch(transaction);
        }));
    };
    auto const found = look();
    auto const& life = found.life;
    auto shown = json{
        {"epoch", std::to_string(life.epoch)},
        {"opened_at", found.opened_at},
        {"opened_by", found.opened_by},
        {"reason", found.reason},
        {"fenced", !life.trouble.empty()},
        {"why", life.trouble.empty() ? json{} : json(life.trouble)},
        {"system_identifier", std::to_string(life.system_identifier)},
        {"timeline", life.timeline},
        {"database_id", life.database_id}};
    auto rows = json::array();
    auto const tell = [&](std::string const& fault) { context.say(fault); };
    for (auto const& one : compare(wants.noted, look, tell))
        rows.push_back(
            {{"series", one.series},
             {"ordinal", std::to_string(one.here.ordinal)},
             {"noted", one.noted.ordinal > 0 ? json(std::to_string(one.noted.ordinal)) : json{}},
             {"missing", std::to_string(one.behind())}}
        );
    if (context.options().output == output_format::table)
    {
        context.print(shown, epoch_columns);
        context.print_part("\n");
        context.print_list(rows, standing_columns);
    }
    else
    {
        shown["series"] = rows;
        context.print(shown, epoch_columns);
    }
    if (!life.trouble.empty())
        context.say("no number is issued; next: docs/operations/backup.md, 'After a restore'");
    auto const empty = folder_without_journals(wants.noted, life);
    if (empty)
        context.say(*empty);
    return life.trouble.empty() && !empty ? exit_code::ok : exit_code::findings;
}

exit_code reconcile(command_context& context, epoch_options const& wants)
{
    check_epoch_reason(wants.reason);
    if (wants.noted.journals.empty() && wants.noted.anchors.empty())
        throw usage_error("--journal: name the folders of all instances' journals, or what there "
                          "is of --anchors");
    std::vector<std::string> missing;
    std::set<std::string> faults;  // work may run again
    auto const tell = [&](std::string const& fault) { faults.insert(fault); };
    auto const work = [&](pqxx::transaction_base& transaction) -> result<std::int64_t> {
        if (auto const empty = folder_without_journals(wants.noted, read_epoch(transaction).life))
            return refusal{refusal_kind::state_conflict, *empty};
        if (auto const here = read_move(transaction); !wants.noted.journals.empty())
            missing = missing_journals(here, read_folders(wants.noted.journals, here));
        std::int64_t sum = 0;
        auto const look = [&] { return read_epoch(transaction); };
        auto const all = compare(wants.noted, look, tell);
        if (auto const gone = find_gone(all))
            return refusal{refusal_kind::unknown_series, *gone};
        for (auto const& one : all)
            if (one.behind() > 0)
                sum += fill_series(
                    transaction,
                    {.series_id = one.here.series_id,
                     .ordinal = one.noted.ordinal,
                     .next_serial = one.noted.next_serial},
                    missing_numbers::were_issued,
                    wants.reason,
                    context.actor()
                );
        return sum;
    };
    auto const filled = value_of(context.change(work));
    for (auto const& each : faults)
        context.say(each);
    for (auto const& each : missing)
        context.say(each);
    context.say(fmt::format(
        "{} missing numbers were recorded as issued, for the owner 'recovered'{}; next: gapless "
        "epoch open",
        filled,
        context.options().dry_run ? " (dry run: nothing was changed)" : ""
    ));
    return exit_code::ok;
}

parameters outside_parameters(epoch_options& into)
{
    return {
        {.name = "--journal",
         .into = &into.noted.journals,
         .help = "Folder of gaplessd's journals; one for each host, repeated",
         .value = "FOLDER"},
        {.name = "--anchors",
         .into = &into.noted.anchors,
         .help = "What 'gapless anchor' wrote; repeated",
         .value = "FILE"},
    };
}

parameters reconcile_parameters(epoch_options& into)
{
    return join(
        outside_parameters(into),
        {{.name = "--reason",
          .into = &into.reason,
          .help = "What happened; stays in the records",
          .value = "TEXT",
          .required = true}}
    );
}

parameters prepare_parameters(epoch_options& into)
{
    return {
        {.name = "--journal",
         .into = &into.noted.journals,
         .help = "Folder of gaplessd's journals, which takes the seal of the move; one for each "
                 "host, repeated",
         .value = "FOLDER"},
        {.name = "--reason",
         .into = &into.reason,
         .help = "What for; stays in the records",
         .value = "TEXT",
         .required = true},
    };
}

parameters epoch_parameter(epoch_options& into)
{
    return {
        {.name = "--confirm-epoch",
         .into = &into.epoch,
         .help = "The number of the epoch that begins: the present one plus 1",
         .value = "N",
         .required = true}};
}

parameters move_parameters(epoch_options& into)
{
    return join(prepare_parameters(into), epoch_parameter(into));
}

parameters open_parameters(epoch_options& into)
{
    parameters const own{
        {.name = "--skip",
         .into = &into.skip,
         .help = "Numbers of each series, or of one, that may have been issued unnoticed: they are "
                 "voided; repeated",
         .value = "[SERIES=]N"},
        {.name = "--void-rest",
         .into = &into.void_rest,
         .help = "Void what is left of series that have fewer numbers than --skip says"},
        {.name = "--leases",
         .into = &into.leases,
         .help = "Journal of leases of an instance, or a folder of them; repeated",
         .value = "FILE"},
        {.name = "--skip-leases",
         .into = &into.skip_leases,
         .help = "Numbers may be on lease that nobody knows of: an instance that is cut off may "
                 "issue them"},
        {.name = "--without-proof",
         .into = &into.without_proof,
         .help = "Nothing proves that no number is missing"},
    };
    return join(join(reconcile_parameters(into), epoch_parameter(into)), own);
}

}  // namespace

noun epoch_commands()
{
    return {
        .name = "epoch",
        .summary = "The lives of the database, after a restore or failover",
        .verbs = {
            verb_of<epoch_options>{
                .name = "show",
                .summary = "Show the epoch, and whether numbers may be issued",
                .takes = outside_parameters,
                .run = show},
            verb_of<epoch_options>{
                .name = "reconcile",
                .summary = "Record the numbers that were issued after the backup was taken",
                .takes = reconcile_parameters,
                .run = reconcile},
            verb_of<epoch_options>{
                .name = "open",
                .summary = "Begin the next epoch: issuing goes on",
                .takes = open_parameters,
                .run = open_next_epoch},
            verb_of<epoch_options>{
                .name = "prepare-move",
                .summary = "Stop issuing on this server, to move the database to another",
                .takes = prepare_parameters,
                .run = prepare_epoch_move},
            verb_of<epoch_options>{
                .name = "move",
                .summary = "Go on where a move was prepared, without voiding what is on hold",
                .takes = move_parameters,
                .run = complete_epoch_move},
        }};
}

}  // namespace gapless::cli
