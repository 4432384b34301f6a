#include "cli/argument.hpp"
#include "cli/command_context.hpp"
#include "cli/operation_commands.hpp"
#include "reserve/commands.hpp"
#include "reserve/lease_drill.hpp"
#include "reserve/lease_operations.hpp"
#include "reserve/lease_recovery.hpp"
#include "reserve/lease_telling.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gapless::cli {

namespace {

struct lease_options
{
    std::string series;
    std::string seconds{"60"};
    std::vector<std::string> files;
};

/// Says where the numbers of recalled leases are, and when they come back.
void tell_recall(
    command_context& context, operation const& done, nlohmann::ordered_json const& leases
)
{
    if (done.verb != "recall")
        return;
    say_on_lease(context, leases);
    if (std::ranges::any_of(leases, [](auto const& lease) { return lease["held"] != "0"; }))
        context.say("an instance settles and returns them as soon as it hears of it: within "
                    "seconds, or once it reaches the database again");
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
    auto made = operation_commands(leases::administration, nullptr, tell_recall);
    made.verbs.push_back(verb_of<lease_options>{
        .name = "recover",
        .summary = "Settle what an instance issued that cannot do it itself",
        .takes = file_parameters,
        .run = recover});
    made.verbs.push_back(verb_of<lease_options>{
        .name = "drill",
        .summary = "Practise an outage: issue from the reserve for a minute",
        .takes = drill_parameters,
        .run = drill});
    return made;
}

}  // namespace gapless::cli
