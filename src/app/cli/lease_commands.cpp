#include "app/cli/argument.hpp"
#include "app/cli/commands.hpp"
#include "app/cli/json.hpp"
#include "app/cli/lease_drill.hpp"
#include "app/cli/lease_recovery.hpp"
#include "app/cli/lease_telling.hpp"
#include "app/cli/params.hpp"
#include "app/cli/session.hpp"
#include "cases/leases.hpp"
#include "domain/moment.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <fmt/format.h>

namespace gapless::cli {

namespace {

using json = nlohmann::ordered_json;

struct lease_options
{
    std::string lease;
    std::string series;
    std::string reason;
    std::string seconds{"60"};
    std::vector<std::string> files;
    bool all{};
};

constexpr std::array lease_columns{
    column{.key = "lease"},
    column{.key = "series"},
    column{.key = "instance", .in_table = false},
    column{.key = "host"},
    column{.key = "status"},
    column{.key = "contact"},
    column{.key = "granted_at", .in_table = false},
    column{.key = "draw_until"},
    column{.key = "first", .number = true, .in_table = false},
    column{.key = "last", .number = true, .in_table = false},
    column{.key = "count", .number = true},
    column{.key = "held", .number = true},
    column{.key = "settled", .number = true},
    column{.key = "returned", .number = true, .in_table = false},
    column{.key = "written_off", .number = true, .in_table = false},
    column{.key = "overdue"},
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

void print_list(session const& session, std::vector<listed_lease> const& leases)
{
    auto rows = json::array();
    for (auto const& lease : leases)
        rows.push_back(to_json(lease));
    session.print_list(rows, lease_columns);
}

exit_code list(session& session, lease_options const& wants)
{
    auto leases = session.ask(cases::list_leases{{.series = optional_text(wants.series)}});
    // Those that are at their end are history.
    if (!wants.all)
        std::erase_if(leases, [](listed_lease const& lease) { return lease.held == 0; });
    print_list(session, leases);
    return exit_code::ok;
}

exit_code show(session& session, lease_options const& wants)
{
    session.print(
        to_json(session.ask(cases::read_lease{read_lease_word(wants.lease)})), lease_columns
    );
    return exit_code::ok;
}

exit_code recall(session& session, lease_options const& wants)
{
    if (wants.lease.empty() != wants.all)
        throw usage_error("say what is wanted back: either LEASE or --all");
    if (!wants.all && !wants.series.empty())
        throw usage_error("--series goes with --all");
    std::vector<listed_lease> leases;
    if (wants.all)
        leases = session.act(cases::recall_leases{optional_text(wants.series)});
    else
        leases.push_back(session.act(cases::recall_lease{read_lease_word(wants.lease)}));
    print_list(session, leases);
    say_on_lease(session, leases);
    if (std::ranges::any_of(leases, [](listed_lease const& lease) { return lease.held > 0; }))
        session.say("an instance settles and returns them as soon as it hears of it: within "
                    "seconds, or once it reaches the database again");
    session.say_dry_run();
    return exit_code::ok;
}

exit_code write_off(session& session, lease_options const& wants)
{
    auto const id = read_lease_word(wants.lease);
    if (wants.reason.find_first_not_of(" \t\r\n") == std::string::npos)
        throw usage_error("--reason: writing off a lease needs a reason, it stays in the records");
    if (auto const reason = read_reference(wants.reason); reason.has_error())
        throw usage_error("--reason: " + reason.error().detail);
    if (session.asks())
    {
        auto const lease = session.ask(cases::read_lease{id});
        session.confirm(fmt::format(
            "Write off {} numbers of {} at {}, last heard of at {}? They are never issued again, "
            "unless it comes back and settles them.",
            lease.held,
            lease.series,
            lease.host,
            to_rfc3339(lease.contact)
        ));
    }
    auto const done = session.act(cases::write_off_lease{id, wants.reason});
    session.print(to_json(done.lease), lease_columns);
    session.say(fmt::format("{} numbers were voided", done.voided));
    session.say_dry_run();
    return exit_code::ok;
}

exit_code drill(session& session, lease_options const& wants)
{
    auto const seconds = read_integer(wants.seconds, 1, drill_seconds_max);
    if (seconds.has_error())
        throw usage_error("--seconds: " + seconds.error().detail);
    return run_drill(session, wants.series, std::chrono::seconds{*seconds});
}

exit_code recover(session& session, lease_options const& wants)
{
    return recover_leases(session, wants.files);
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
