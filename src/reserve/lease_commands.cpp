#include "base/moment.hpp"
#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/params.hpp"
#include "cli/record_json.hpp"
#include "record/table.hpp"
#include "reserve/commands.hpp"
#include "reserve/lease_drill.hpp"
#include "reserve/lease_operations.hpp"
#include "reserve/lease_recovery.hpp"
#include "reserve/lease_telling.hpp"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

namespace gapless::cli {

namespace {

struct lease_options
{
    std::string lease;
    std::string series;
    std::string reason;
    std::string seconds{"60"};
    std::vector<std::string> files;
    bool all{};
};

lease_id read_lease_word(std::string const& text)
{
    auto const id = read_lease_id(text);
    if (!id)
        throw usage_error(fmt::format(
            "LEASE: {} is no id of a lease; 'gapless lease list' shows the ids", to_quoted(text)
        ));
    return *id;
}

void print(command_context const& context, leases::listed_lease const& lease)
{
    context.print(to_json(lease), columns_of<leases::listed_lease>);
}

void print_list(command_context const& context, std::vector<leases::listed_lease> const& leases)
{
    context.print_list(to_rows(leases), columns_of<leases::listed_lease>);
}

/// Those that are at their end are history.
void leave_out_history(std::vector<leases::listed_lease>& leases)
{
    std::erase_if(leases, [](leases::listed_lease const& lease) { return lease.held == 0; });
}

exit_code list(command_context& context, lease_options const& wants)
{
    auto leases = read_leases(context, optional_text(wants.series));
    if (!wants.all)
        leave_out_history(leases);
    print_list(context, leases);
    return exit_code::ok;
}

leases::listed_lease read_one(command_context& context, lease_id const& id)
{
    return value_of(context.read([&](pqxx::transaction_base& transaction) {
        return leases::read(transaction, id);
    }));
}

exit_code show(command_context& context, lease_options const& wants)
{
    print(context, read_one(context, read_lease_word(wants.lease)));
    return exit_code::ok;
}

std::vector<leases::listed_lease> recall_all(
    command_context& context, std::optional<std::string> const& series
)
{
    auto all = value_of(context.change([&](pqxx::transaction_base& transaction) {
        leases::recall_all(transaction, series, context.actor());
        return leases::read_all(transaction, series);
    }));
    leave_out_history(all);
    return all;
}

leases::listed_lease recall_one(command_context& context, lease_id const& id)
{
    return value_of(context.change([&](pqxx::transaction_base& transaction) {
        leases::recall(transaction, id, context.actor());
        return leases::read(transaction, id);
    }));
}

exit_code recall(command_context& context, lease_options const& wants)
{
    if (wants.lease.empty() != wants.all)
        throw usage_error("say what is wanted back: either LEASE or --all");
    if (!wants.all && !wants.series.empty())
        throw usage_error("--series goes with --all");
    std::vector<leases::listed_lease> leases;
    if (wants.all)
        leases = recall_all(context, optional_text(wants.series));
    else
        leases.push_back(recall_one(context, read_lease_word(wants.lease)));
    print_list(context, leases);
    say_on_lease(context, leases);
    if (std::ranges::any_of(leases, [](leases::listed_lease const& lease) {
            return lease.held > 0;
        }))
        context.say("an instance settles and returns them as soon as it hears of it: within "
                    "seconds, or once it reaches the database again");
    context.say_dry_run();
    return exit_code::ok;
}

exit_code write_off(command_context& context, lease_options const& wants)
{
    auto const id = read_lease_word(wants.lease);
    check_reason(wants.reason, "writing off a lease");
    if (context.asks())
    {
        auto const lease = read_one(context, id);
        context.confirm(fmt::format(
            "Write off {} numbers of {} at {}, last heard of at {}? They are never issued again, "
            "unless it comes back and settles them.",
            lease.held.value,
            lease.series,
            lease.host,
            to_rfc3339(lease.contact)
        ));
    }
    std::int64_t voided{};
    auto const now = value_of(context.change([&](pqxx::transaction_base& transaction) {
        voided = leases::write_off(transaction, id, wants.reason, context.actor());
        return leases::read(transaction, id);
    }));
    print(context, now);
    context.say(fmt::format("{} numbers were voided", voided));
    context.say_dry_run();
    return exit_code::ok;
}

exit_code drill(command_context& context, lease_options const& wants)
{
    auto const seconds = read_integer(wants.seconds, 1, drill_seconds_max);
    if (seconds.has_error())
        throw usage_error("--seconds: " + seconds.error().detail);
    return run_drill(context, wants.series, std::chrono::seconds{*seconds});
}

exit_code recover(command_context& context, lease_options const& wants)
{
    return recover_leases(context, wants.files);
}

parameters list_parameters(lease_options& into)
{
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series; default: all"},
        {.name = "--all", .into = &into.all, .help = "Also leases that hold no number any more"},
    };
}

parameters id_parameter(lease_options& into)
{
    return {{.name = "LEASE", .into = &into.lease, .help = "Id of the lease", .required = true}};
}

parameters recall_parameters(lease_options& into)
{
    return {
        {.name = "LEASE", .into = &into.lease, .help = "Id of the lease"},
        {.name = "--all", .into = &into.all, .help = "Every lease that is open"},
        {.name = "--series",
         .into = &into.series,
         .help = "With --all: of this series only",
         .value = "SERIES"},
    };
}

parameters write_off_parameters(lease_options& into)
{
    return join(
        id_parameter(into),
        {{.name = "--reason",
          .into = &into.reason,
          .help = "Why; stays in the records",
          .value = "TEXT",
          .required = true}}
    );
}

parameters file_parameters(lease_options& into)
{
    return {
        {.name = "FILE",
         .into = &into.files,
         .help = "Journals of leases, or folders of them",
         .required = true}};
}

parameters drill_parameters(lease_options& into)
{
    return {
        {.name = "SERIES", .into = &into.series, .help = "Name of the series", .required = true},
        {.name = "--seconds", .into = &into.seconds, .help = "How long; default: 60", .value = "N"},
    };
}

}  // namespace

noun lease_commands()
{
    return {
        .name = "lease",
        .summary = "Numbers that instances may issue while the database is away",
        .verbs = {
            verb_of<lease_options>{
                .name = "list",
                .summary = "List leases that hold numbers, the oldest first",
                .takes = list_parameters,
                .run = list},
            verb_of<lease_options>{
                .name = "show", .summary = "Show one lease", .takes = id_parameter, .run = show},
            verb_of<lease_options>{
                .name = "recall",
                .summary = "Have instances return their numbers",
                .takes = recall_parameters,
                .run = recall},
            verb_of<lease_options>{
                .name = "write-off",
                .summary = "Give up the numbers of an instance that is lost",
                .takes = write_off_parameters,
                .run = write_off},
            verb_of<lease_options>{
                .name = "recover",
                .summary = "Settle what an instance issued that cannot do it itself",
                .takes = file_parameters,
                .run = recover},
            verb_of<lease_options>{
                .name = "drill",
                .summary = "Practise an outage: issue from the reserve for a minute",
                .takes = drill_parameters,
                .run = drill},
        }};
}

}  // namespace gapless::cli
